// Saves a member with all accesses at once: changes, adds and revokes accesses in one transaction.

import type { AccessUpdate } from '@callgate/contract/rest/access'
import type { ActivityState } from '@callgate/contract/rest/activity'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import type { Schedule } from '@callgate/contract/rest/schedule'
import type { World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { actorOf, changesOf, recordActivity } from '../activity/activity.ts'
import { readSchedules } from '../core/schedule/readSchedules.ts'
import type { Db } from '../database/database.ts'
import type { Principal } from '../http/handler.ts'
import { queueMail } from '../mail/outbox.ts'
import {
  type AccessRow,
  accessesOf,
  entryOf,
  insertAccesses,
  type NewAccess,
  readGateNames,
  repeatedGate,
} from './accesses.ts'
import type { MemberRow } from './memberRows.ts'

/** An access of the request: changed where it has an id, otherwise added. */
export interface SentAccess extends AccessUpdate {
  readonly id?: string
  readonly gateId: string
}

/** A sent access with its schedules in the stored form; undefined where they stay unchanged. */
interface ReadAccess {
  readonly sent: SentAccess
  readonly schedules: readonly Schedule[] | undefined
  /** Its position in the body. */
  readonly at: string
}

const invalid = (message: string): Problem => ({ problem: 'validation_error', message })

/** The accesses of a body; or the problem of the first invalid one. */
export function readSentAccesses(sent: readonly SentAccess[]): readonly ReadAccess[] | Problem {
  const all: ReadAccess[] = []
  for (const [index, access] of sent.entries()) {
    const at = `accesses[${index}].`
    const read = access.schedules && readSchedules(access.schedules, `${at}schedules`)
    if (read && !read.ok) return read.problem
    all.push({ sent: access, schedules: read?.schedules, at })
  }
  return all
}

interface Saving {
  readonly tx: Knex.Transaction
  readonly world: World
  readonly principal: Principal
  /** The member as it is after the save. */
  readonly member: MemberRow
  /** Whether the member gets a mail for each new access. */
  readonly sendsMails: boolean
}

/** The changes that a list means for the existing accesses. */
interface Plan {
  readonly changed: readonly { readonly row: AccessRow; readonly wanted: ReadAccess }[]
  readonly added: readonly NewAccess[]
  readonly revoked: readonly AccessRow[]
}

/** The plan; or the problem of an access that the member does not have, or that belongs to another gate. */
function planOf(rows: readonly AccessRow[], wanted: readonly ReadAccess[]): Plan | Problem {
  const changed: { row: AccessRow; wanted: ReadAccess }[] = []
  const added: NewAccess[] = []
  for (const one of wanted) {
    const { at, schedules, sent } = one
    const row = rows.find(({ id }) => id === sent.id)
    if (sent.id === undefined) {
      const { gateId, isActive = true, maxUsage = null } = sent
      const always = readSchedules([{ type: 'always' }], 'schedules')
      if (!always.ok) throw new Error(always.problem.message)
      added.push({ gateId, maxUsage, isActive, schedules: schedules ?? always.schedules, at })
    } else if (!row)
      return { problem: 'not_found', message: `${at}id: the member has no access with this id.` }
    else if (row.gateId !== sent.gateId)
      return invalid(`${at}gateId must be the gate of this access; for another gate leave out the id`)
    else if (changed.some(other => other.row === row)) return invalid(`${at}id is in the list already`)
    else changed.push({ row, wanted: one })
  }
  const kept = new Set(changed.map(({ row }) => row))
  return { changed, added, revoked: rows.filter(row => !kept.has(row)) }
}

/** What an entry about one access names. */
const named = (member: MemberRow, row: Pick<AccessRow, 'id' | 'gateId'>, gateName: string) => ({
  id: row.id,
  memberId: member.id,
  gateId: row.gateId,
  gateName,
  memberName: member.name,
})

async function gateNamesOf(
  { member: { spaceId }, tx }: Saving,
  rows: readonly Pick<AccessRow, 'gateId'>[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  for (const { gateId } of rows) {
    const gate = await tx('gates').where({ id: gateId, spaceId }).first('name')
    names.set(gateId, gate?.name ?? '')
  }
  return names
}

async function changeAccesses(saving: Saving, { changed, revoked }: Plan): Promise<void> {
  const { principal, member, tx, world } = saving
  const { spaceId } = member
  const by = { spaceId, ...actorOf(principal) }
  const names = await gateNamesOf(saving, [...revoked, ...changed.map(({ row }) => row)])
  const nameOf = ({ gateId }: AccessRow) => names.get(gateId) ?? ''
  for (const row of revoked) {
    await tx('accesses').where({ id: row.id, spaceId }).delete()
    const of = named(member, row, nameOf(row))
    await recordActivity(tx, world, { ...by, ...entryOf(of, 'guest.access_revoked', {}) })
  }
  for (const { row, wanted } of changed) {
    const before: ActivityState<'guest.access_updated'> = {
      schedules: JSON.parse(row.schedules) as Schedule[],
      maxUsage: row.maxUsage,
      isActive: Boolean(row.isActive),
    }
    const { isActive = before.isActive, maxUsage = before.maxUsage } = wanted.sent
    const after = { schedules: [...(wanted.schedules ?? before.schedules)], maxUsage, isActive }
    const changes = changesOf(before, after)
    if (!changes) continue
    await tx('accesses')
      .where({ id: row.id, spaceId })
      .update({ ...after, schedules: JSON.stringify(after.schedules) })
    const of = named(member, row, nameOf(row))
    await recordActivity(tx, world, { ...by, ...entryOf(of, 'guest.access_updated', { changes }) })
  }
}

/** The names of the gates of the added accesses, or why they cannot be added. */
async function readAdded(db: Db, spaceId: string, { added, changed }: Plan): Promise<string[] | Problem> {
  const gateNames = await readGateNames(db, spaceId, added)
  if (isProblem(gateNames)) return gateNames
  const kept = changed.map(({ row }) => row.gateId)
  return repeatedGate(added, kept) ?? gateNames
}

/** Why `saveAccesses` would refuse the list, besides the limits on mails. It only reads. */
export async function accessesProblem(
  db: Db,
  spaceId: string,
  rows: readonly AccessRow[],
  wanted: readonly ReadAccess[],
): Promise<Problem | undefined> {
  const plan = planOf(rows, wanted)
  if (isProblem(plan)) return plan
  const added = await readAdded(db, spaceId, plan)
  return isProblem(added) ? added : undefined
}

async function addAccesses(saving: Saving, plan: Plan): Promise<Problem | undefined> {
  const { principal, member, sendsMails, tx, world } = saving
  const { added } = plan
  const { spaceId } = member
  const by = { spaceId, ...actorOf(principal) }
  const gateNames = await readAdded(tx, spaceId, plan)
  if (isProblem(gateNames)) return gateNames
  const rows = await insertAccesses(tx, world, member, added)
  for (const [index, row] of rows.entries()) {
    const of = named(member, row, gateNames[index] ?? '')
    await recordActivity(tx, world, { ...by, ...entryOf(of, 'guest.access_added', {}) })
    if (member.email === null || !sendsMails) continue
    const mail = { spaceId, memberId: member.id, kind: 'access_granted', gateId: row.gateId } as const
    const refused = await queueMail(tx, world, { ...mail, address: member.email, actor: principal.actor })
    if (refused) return refused
  }
  return undefined
}

/** Makes the accesses of a member equal to the list. A problem leaves the transaction to be rolled back. */
export async function saveAccesses(
  saving: Saving,
  wanted: readonly ReadAccess[],
): Promise<Problem | undefined> {
  const { member, tx } = saving
  const rows = await accessesOf(tx, { spaceId: member.spaceId, memberId: member.id })
  const plan = planOf(rows, wanted)
  if (isProblem(plan)) return plan
  await changeAccesses(saving, plan)
  return addAccesses(saving, plan)
}
