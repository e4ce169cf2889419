// One change of many chosen members, each applied as a change alone is, in one transaction.

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
import type { AppHandlers, Principal } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import { queueMail } from '../mail/outbox.ts'
import { type AccessRow, accessesOf } from './accesses.ts'
import { findMember, type MemberRow } from './memberRows.ts'
import { saveAccesses } from './memberSaves.ts'
import { endMember } from './members.ts'
import { tryOrWrite } from './tryOrWrite.ts'

type EditRequest = AppBodyOf<'editMembers'>
type LeftOut = NonNullable<MemberEdit['members'][number]['leftOut']>

/** What all members have in common. */
interface Editing {
  readonly tx: Knex.Transaction
  readonly world: World
  readonly principal: Principal
  readonly asked: EditRequest
  /** In the stored form; undefined: they stay, or a new access opens at any time. */
  readonly schedules: readonly Schedule[] | undefined
}

/** What became of one member. */
interface Outcome {
  readonly leftOut: LeftOut | null
  readonly gateIds: readonly string[]
  readonly mails: number
}

const left = (why: LeftOut): Outcome => ({ leftOut: why, gateIds: [], mails: 0 })
const done = (gateIds: readonly string[], mails = 0): Outcome => ({ leftOut: null, gateIds, mails })
const invalid = (message: string): Problem => ({ problem: 'validation_error', message })

/** An access as it is, for a list in which another one changes. */
const kept = ({ gateId, id }: AccessRow) => ({ sent: { id, gateId }, schedules: undefined, at: '' })

const saving = ({ asked, principal, tx, world }: Editing, member: MemberRow) => ({
  tx,
  world,
  principal,
  member,
  sendsMails: asked.sendsMails,
})

async function addGate(editing: Editing, member: MemberRow, rows: readonly AccessRow[]) {
  const { gateId = '', maxUsage = null } = editing.asked.access ?? {}
  if (rows.some(row => row.gateId === gateId)) return left('has_gate')
  const added = { sent: { gateId, maxUsage }, schedules: editing.schedules, at: 'access.' }
  const refused = await saveAccesses(saving(editing, member), [...rows.map(kept), added])
  return refused ?? done([gateId], editing.asked.sendsMails && member.email !== null ? 1 : 0)
}

async function setHours(editing: Editing, member: MemberRow, rows: readonly AccessRow[]) {
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
  const refused = await saveAccesses(saving(editing, member), wanted)
  return refused ?? done(changed.map(row => row.gateId))
}

async function deactivate({ principal, tx, world }: Editing, member: MemberRow, rows: readonly AccessRow[]) {
  const entry = await endMember(tx, member)
  await recordActivity(tx, world, { spaceId: member.spaceId, ...actorOf(principal), ...entry })
  return done(rows.map(({ gateId }) => gateId))
}

async function sendLink({ principal: { actor }, tx, world }: Editing, member: MemberRow) {
  const { email: address, id: memberId, spaceId } = member
  if (address === null) return left('no_email')
  const mail = { spaceId, memberId, kind: 'invitation', gateId: null, address, actor } as const
  return (await queueMail(tx, world, mail)) ?? done([], 1)
}

const acts = { add_gate: addGate, set_hours: setHours, deactivate, send_link: sendLink }

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

/** Applies the change to every member in turns of the event loop, or ends at the first problem. */
async function editAll(editing: Editing): Promise<MemberEdit | Problem> {
  const { asked, principal, tx, world } = editing
  const { spaceId } = principal
  const { act, isDryRun, memberIds } = asked
  const members: MemberEdit['members'] = []
  let mails = 0
  let handled = 0
  for (const memberId of memberIds) {
    await world.turn(spaceId)
    const member = await findMember(tx, spaceId, memberId)
    if (!member) return notFound('member')
    const rows = await accessesOf(tx, { spaceId, memberId })
    handled += rows.length
    if (handled > mostAccessesInBulk)
      return invalid(`memberIds: these members have more than ${mostAccessesInBulk} accesses; choose fewer`)
    const outcome = member.linkSealed === null ? left('inactive') : await acts[act](editing, member, rows)
    if (isProblem(outcome)) return outcome
    if (!isDryRun && outcome.leftOut !== null) return refuse('members_changed')
    mails += outcome.mails
    members.push({ memberId, name: member.name, leftOut: outcome.leftOut, gateIds: [...outcome.gateIds] })
  }
  const preview = previewOf(members, mails)
  if (!isDryRun && asked.preview !== undefined && asked.preview !== preview) return refuse('members_changed')
  return { isDone: !isDryRun, members, mails, preview }
}

/** The dashboard's operation on many chosen members. */
export function memberEditHandlers({ world }: { readonly world: World }): Pick<AppHandlers, 'editMembers'> {
  return {
    async editMembers({ body: asked, principal, write }) {
      const read = readAsked(asked)
      if (isProblem(read)) return read
      const { isDryRun } = asked
      return tryOrWrite<MemberEdit>({ isDryRun, spaceId: principal.spaceId, write }, tx =>
        editAll({ tx, world, principal, asked, ...read }),
      )
    },
  }
}
