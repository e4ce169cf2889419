// Import of members: the changes that a file means, made in one transaction.

import { isDeepStrictEqual } from 'node:util'
import type { ImportPlan } from '@callgate/contract/app/memberFile'
import { sayRefusal } from '@callgate/contract/app/refusals'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import type { Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import type { Principal } from '../http/handler.ts'
import { readPlanUse } from '../space/spaces.ts'
import { type AccessRow, accessesOf } from './accesses.ts'
import {
  type Fault,
  type FileAccess,
  type FileMember,
  readMemberFile,
  type Surroundings,
} from './memberFile.ts'
import type { LinkParts } from './memberLinks.ts'
import { findMember, type MemberRow } from './memberRows.ts'
import { saveAccesses } from './memberSaves.ts'
import { changeMember, insertMember } from './members.ts'

/** A member of the file beside the existing one. */
interface Meant {
  readonly wanted: FileMember
  /** Undefined: a new member. */
  readonly row: MemberRow | undefined
  readonly isChanged: boolean
  readonly added: number
  readonly changed: number
  readonly revoked: number
}

/** The meaning of a file, and the state of the Space at that time. */
export interface Intent {
  readonly meant: readonly Meant[]
  readonly faults: readonly Fault[]
  /** The Space's newest activity entry: while it is the newest, nobody has changed anything. */
  readonly stateId: string | undefined
}

/** The newest activity entry. Every change of members, accesses, gates and plans makes one. */
export async function stateIdOf(db: Db, spaceId: string): Promise<string | undefined> {
  const newest = await db('activity')
    .where({ spaceId })
    .orderBy([
      { column: 'timestamp', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .first('id')
  return newest?.id
}

function isSame(row: AccessRow, { isActive, maxUsage, schedules }: FileAccess): boolean {
  if (Boolean(row.isActive) !== isActive || row.maxUsage !== maxUsage) return false
  return isDeepStrictEqual(JSON.parse(row.schedules), schedules)
}

async function meaningOf(
  db: Db,
  {
    column,
    spaceId,
    wanted,
  }: { readonly column: string; readonly spaceId: string; readonly wanted: FileMember },
): Promise<Meant | Fault> {
  const { accesses, email, id, line, name, note, phone } = wanted
  if (id === undefined) return { wanted, row: undefined, isChanged: true, added: 0, changed: 0, revoked: 0 }
  const row = await findMember(db, spaceId, id)
  if (!row) return { line, ...sayRefusal('file_member_unknown', { column }) }
  if (row.linkSealed === null) return { line, ...sayRefusal('file_member_off', { column }) }
  const rows = await accessesOf(db, { spaceId, memberId: id })
  const rowOf = (access: FileAccess) => rows.find(({ gateId }) => gateId === access.gateId)
  const pairs = accesses.map(access => ({ access, row: rowOf(access) }))
  const added = pairs.filter(pair => !pair.row).length
  const changed = pairs.filter(pair => pair.row && !isSame(pair.row, pair.access)).length
  const revoked = rows.length - (pairs.length - added)
  const isEdited = !isDeepStrictEqual(
    { name: row.name, email: row.email, phone: row.phone || null, note: row.note || null },
    { name, email, phone, note },
  )
  return { wanted, row, isChanged: isEdited || added + changed + revoked > 0, added, changed, revoked }
}

interface MemberImportParts {
  readonly world: World
  readonly links: LinkParts
}

/** The changes that the file means for the Space's present state, computed in turns of the event loop. */
export async function intentOf(
  db: Db,
  { spaceId, text, world }: { readonly spaceId: string; readonly text: string; readonly world: World },
): Promise<Intent> {
  const giveWay = () => world.turn(spaceId)
  const stateId = await stateIdOf(db, spaceId)
  const { timezone } = await db('spaces').where({ id: spaceId }).first('timezone')
  const gates: Surroundings['gates'] = await db('gates').where({ spaceId }).select('id', 'name')
  const read = await readMemberFile(text, { gates, timezone }, giveWay)
  if (!read.ok) return { meant: [], faults: read.faults, stateId }
  const meant: Meant[] = []
  const faults: Fault[] = []
  for (const [place, wanted] of read.members.entries()) {
    if (place % 20 === 0) await giveWay()
    const one = await meaningOf(db, { column: read.heads.id, spaceId, wanted })
    if ('wanted' in one) meant.push(one)
    else faults.push(one)
  }
  const { invitations } = await readPlanUse(db, spaceId, timeIn(db, world))
  const created = meant.filter(({ row }) => !row).length
  if (invitations.used + created > invitations.limit) {
    const left = Math.max(0, invitations.limit - invitations.used)
    const { resetsAt } = invitations
    faults.push({ line: null, ...sayRefusal('file_invitations', { created, left, resetsAt }) })
  }
  return { meant, faults, stateId }
}

const mostFaults = 100

/** One fault for each kind of mistake, with all its lines. */
function joined(faults: readonly Fault[]): ImportPlan['faults'] {
  const byMessage = new Map<string, ImportPlan['faults'][number] & { lines: number[] }>()
  for (const { line, ...wrong } of faults) {
    const known = byMessage.get(wrong.message) ?? { ...wrong, lines: [] }
    if (line !== null && known.lines.at(-1) !== line) known.lines.push(line)
    byMessage.set(wrong.message, known)
  }
  return [...byMessage.values()].slice(0, mostFaults)
}

/** The counts of an intent for the answer. */
export function planOf({ faults, meant }: Intent, isDone: boolean): ImportPlan {
  const sum = (of: (one: Meant) => number) => meant.reduce((total, one) => total + of(one), 0)
  const count = (fits: (one: Meant) => boolean) => meant.filter(fits).length
  return {
    isDone,
    created: count(({ row }) => !row),
    changed: count(({ isChanged, row }) => row !== undefined && isChanged),
    unchanged: count(({ isChanged }) => !isChanged),
    accessesAdded: sum(({ added }) => added),
    accessesChanged: sum(({ changed }) => changed),
    accessesRevoked: sum(({ revoked }) => revoked),
    mails: sum(({ added, row, wanted }) => (wanted.email === null ? 0 : row ? added : 1)),
    faults: joined(faults),
  }
}

/** Makes every change of an intent without faults. A problem leaves the transaction to be rolled back. */
export async function applyIntent(
  tx: Knex.Transaction,
  { links, world }: MemberImportParts,
  {
    principal,
    intent,
    sendsMails,
  }: { readonly principal: Principal; readonly intent: Intent; readonly sendsMails: boolean },
): Promise<Problem | undefined> {
  for (const { isChanged, row, wanted } of intent.meant) {
    if (!isChanged) continue
    const { accesses, email, line, name, note, phone } = wanted
    const fields = { name, email, phone, note }
    const at = `line ${line}: `
    const added = accesses.map(({ line: _, schedules, ...access }) => ({ ...access, schedules, at }))
    const refused = row
      ? await changeAll(tx, world, { principal, row, fields, accesses, sendsMails })
      : await insertMember(tx, { world, ...links }, principal, { ...fields, added, sendsMail: sendsMails })
    if (isProblem(refused)) return inLine(line, refused)
  }
  return undefined
}

function inLine(line: number, refused: Problem): Problem {
  const before = sayRefusal('file_line', { line })
  return {
    ...refused,
    message: `${before.message} ${refused.message}`,
    // Either they make up the whole message, or there are none.
    refusals: refused.refusals && [...before.refusals, ...refused.refusals],
  }
}

async function changeAll(
  tx: Knex.Transaction,
  world: World,
  given: {
    readonly principal: Principal
    readonly row: MemberRow
    readonly fields: Pick<FileMember, 'name' | 'email' | 'phone' | 'note'>
    readonly accesses: readonly FileAccess[]
    readonly sendsMails: boolean
  },
): Promise<Problem | object> {
  const { accesses, principal, fields, row, sendsMails } = given
  const member = await changeMember(tx, world, principal, row, fields)
  if (isProblem(member)) return member
  const rows = await accessesOf(tx, { spaceId: row.spaceId, memberId: row.id })
  const wanted = accesses.map(({ gateId, isActive, line, maxUsage, schedules }) => {
    const id = rows.find(one => one.gateId === gateId)?.id
    const sent = { ...(id !== undefined && { id }), gateId, isActive, maxUsage }
    return { sent, schedules, at: `line ${line}: ` }
  })
  return (await saveAccesses({ tx, world, principal, member, sendsMails }, wanted)) ?? {}
}

/** The date of a file, as a part of its name. */
export const dateOf = (nowMs: number) => isoTime(nowMs).slice(0, 10)
