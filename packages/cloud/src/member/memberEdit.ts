// One change of many chosen members: what it would do, by reading alone, or all of it in one transaction.

import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { AppBodyOf } from '@callgate/contract/app/appOperations'
import type { MemberEdit } from '@callgate/contract/app/memberEdit'
import { refuse } from '@callgate/contract/app/refusals'
import { mostAccessesInBulk } from '@callgate/contract/rest/memberBulk'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import type { Schedule } from '@callgate/contract/rest/schedule'
import type { World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { actorOf, recordActivity } from '../activity/activity.ts'
import { readSchedules } from '../core/schedule/readSchedules.ts'
import type { Database, Db } from '../database/database.ts'
import type { AppHandlers, Principal } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import { queueMail } from '../mail/outbox.ts'
import { plannedMails } from '../mail/spaceMailLimits.ts'
import { type AccessRow, accessesOf, readGateNames } from './accesses.ts'
import { findMember, type MemberRow } from './memberRows.ts'
import { saveAccesses } from './memberSaves.ts'
import { endMember } from './members.ts'

type EditRequest = AppBodyOf<'editMembers'>
type LeftOut = NonNullable<MemberEdit['members'][number]['leftOut']>

/** What all members have in common. */
interface Editing {
  readonly world: World
  readonly principal: Principal
  readonly asked: EditRequest
  /** In the stored form; undefined: they stay, or a new access opens at any time. */
  readonly schedules: readonly Schedule[] | undefined
}

/** What becomes of one member. */
interface Planned {
  readonly leftOut: LeftOut | null
  readonly gateIds: readonly string[]
  /** The address to which a mail is sent. */
  readonly mailTo: string | null
  /** Makes the change. A problem leaves the transaction to be rolled back. */
  readonly save: (tx: Knex.Transaction) => Promise<Problem | undefined>
}

/** Decides what becomes of a member with these accesses, from what was read. */
type Plan = (editing: Editing, member: MemberRow, rows: readonly AccessRow[]) => Planned

const left = (why: LeftOut): Planned => ({
  leftOut: why,
  gateIds: [],
  mailTo: null,
  save: async () => undefined,
})
const invalid = (message: string): Problem => ({ problem: 'validation_error', message })

/** An access as it is, for a list in which another one changes. */
const kept = ({ gateId, id }: AccessRow) => ({ sent: { id, gateId }, schedules: undefined, at: '' })

const saving = ({ asked, principal, world }: Editing, member: MemberRow, tx: Knex.Transaction) => ({
  tx,
  world,
  principal,
  member,
  sendsMails: asked.sendsMails,
})

const addGate: Plan = (editing, member, rows) => {
  const { access, sendsMails } = editing.asked
  const { gateId = '', maxUsage = null } = access ?? {}
  if (rows.some(row => row.gateId === gateId)) return left('has_gate')
  const added = { sent: { gateId, maxUsage }, schedules: editing.schedules, at: 'access.' }
  return {
    leftOut: null,
    gateIds: [gateId],
    mailTo: sendsMails ? member.email : null,
    save: tx => saveAccesses(saving(editing, member, tx), [...rows.map(kept), added]),
  }
}

const setHours: Plan = (editing, member, rows) => {
  const { asked, schedules } = editing
  const { gateId, maxUsage } = asked.access ?? {}
  const meant = rows.filter(row => gateId === undefined || row.gateId === gateId)
  if (meant.length === 0) return left('no_access')
  const isOther = (row: AccessRow) =>
    (schedules !== undefined && !isDeepStrictEqual(JSON.parse(row.schedules), schedules)) ||
    (maxUsage !== undefined && row.maxUsage !== maxUsage)
  const changed = meant.filter(isOther)
  if (changed.length === 0) return left('same')
  const wanted = rows.map(row => {
    const one = kept(row)
    if (!changed.includes(row)) return one
    return { ...one, schedules, sent: { ...one.sent, ...(maxUsage !== undefined && { maxUsage }) } }
  })
  return {
    leftOut: null,
    gateIds: changed.map(row => row.gateId),
    mailTo: null,
    save: tx => saveAccesses(saving(editing, member, tx), wanted),
  }
}

const deactivate: Plan = ({ principal, world }, member, rows) => ({
  leftOut: null,
  gateIds: rows.map(({ gateId }) => gateId),
  mailTo: null,
  async save(tx) {
    const entry = await endMember(tx, member)
    await recordActivity(tx, world, { spaceId: member.spaceId, ...actorOf(principal), ...entry })
    return undefined
  },
})

const sendLink: Plan = ({ principal: { actor }, world }, { email: address, id: memberId, spaceId }) => {
  if (address === null) return left('no_email')
  const mail = { spaceId, memberId, kind: 'invitation', gateId: null, address, actor } as const
  return { leftOut: null, gateIds: [], mailTo: address, save: tx => queueMail(tx, world, mail) }
}

const plans = { add_gate: addGate, set_hours: setHours, deactivate, send_link: sendLink }

/** What the schema cannot express; or the schedules in the stored form. */
function readAsked({ access, act }: EditRequest): Pick<Editing, 'schedules'> | Problem {
  const isOfAccess = act === 'add_gate' || act === 'set_hours'
  if (isOfAccess !== (access !== undefined))
    return invalid(`access must be ${isOfAccess ? 'given' : 'absent'} where act is ${act}`)
  if (act === 'add_gate' && access?.gateId === undefined) return invalid('access.gateId must be given')
  const read = access?.schedules && readSchedules(access.schedules, 'access.schedules')
  if (read && !read.ok) return read.problem
  return { schedules: read?.schedules }
}

/** The digest of what a preview shows of those who are changed: who sees it decides on that. */
function previewOf(members: MemberEdit['members'], mails: number): string {
  const changed = members.filter(({ leftOut }) => leftOut === null)
  const shown = [mails, ...changed.map(({ gateIds, memberId }) => [memberId, ...[...gateIds].sort()])]
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64url')
}

/** Goes through all members in turns of the event loop, or ends at the first problem. `next` is told of each one. */
async function planAll(
  db: Db,
  editing: Editing,
  next: (planned: Planned) => Promise<Problem | undefined>,
): Promise<Pick<MemberEdit, 'members' | 'mails' | 'preview'> | Problem> {
  const { asked, principal, world } = editing
  const { spaceId } = principal
  const members: MemberEdit['members'] = []
  let mails = 0
  let handled = 0
  for (const memberId of asked.memberIds) {
    await world.turn(spaceId)
    const member = await findMember(db, spaceId, memberId)
    if (!member) return notFound('member')
    const rows = await accessesOf(db, { spaceId, memberId })
    handled += rows.length
    if (handled > mostAccessesInBulk)
      return invalid(`memberIds: these members have more than ${mostAccessesInBulk} accesses; choose fewer`)
    const planned = member.linkSealed === null ? left('inactive') : plans[asked.act](editing, member, rows)
    const problem = await next(planned)
    if (problem) return problem
    const { gateIds, leftOut, mailTo } = planned
    mails += mailTo === null ? 0 : 1
    members.push({ memberId, name: member.name, leftOut, gateIds: [...gateIds] })
  }
  return { members, mails, preview: previewOf(members, mails) }
}

/** What the change would do. It only reads: it may take long, and nobody waits for it. */
async function previewAll(db: Db, editing: Editing): Promise<MemberEdit | Problem> {
  const { asked, principal, world } = editing
  const { spaceId } = principal
  const gateId = asked.act === 'add_gate' ? asked.access?.gateId : undefined
  const gates = gateId === undefined ? [] : await readGateNames(db, spaceId, [{ gateId, at: 'access.' }])
  if (isProblem(gates)) return gates
  const limitOf = plannedMails(db, world, spaceId)
  const planned = await planAll(db, editing, async ({ mailTo }) =>
    mailTo === null ? undefined : limitOf(mailTo),
  )
  return isProblem(planned) ? planned : { isDone: false, ...planned }
}

/** Makes the change, unless somebody would be left out by now, or it is another one than was shown. */
async function editAll(tx: Knex.Transaction, editing: Editing): Promise<MemberEdit | Problem> {
  const { preview } = editing.asked
  const planned = await planAll(tx, editing, async ({ leftOut, save }) =>
    leftOut === null ? save(tx) : refuse('members_changed'),
  )
  if (isProblem(planned)) return planned
  if (preview !== undefined && preview !== planned.preview) return refuse('members_changed')
  return { isDone: true, ...planned }
}

/** The dashboard's operation on many chosen members. */
export function memberEditHandlers({
  database,
  world,
}: {
  readonly database: Database
  readonly world: World
}): Pick<AppHandlers, 'editMembers'> {
  return {
    async editMembers({ body: asked, principal, write }) {
      const read = readAsked(asked)
      if (isProblem(read)) return read
      const editing = { world, principal, asked, ...read }
      const answered = async (edit: Promise<MemberEdit | Problem>) => {
        const body = await edit
        return isProblem(body) ? body : ({ status: 200, body } as const)
      }
      if (asked.isDryRun) return answered(previewAll(database.knex, editing))
      return write(tx => answered(editAll(tx, editing)), { spaceId: principal.spaceId, isLong: true })
    },
  }
}
