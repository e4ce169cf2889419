// Many members at once: each item is applied in one transaction, which a wrong item rolls back, or in a dry run by reading alone.

import { isDeepStrictEqual } from 'node:util'
import type { AccessGrant } from '@callgate/contract/rest/access'
import type { MemberUpdate } from '@callgate/contract/rest/member'
import { type BulkAnswer, type BulkItem, mostAccessesInBulk } from '@callgate/contract/rest/memberBulk'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import type { World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { actorOf, recordActivity } from '../activity/activity.ts'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import type { Handlers, Principal } from '../http/handler.ts'
import { plannedMails } from '../mail/spaceMailLimits.ts'
import { externalColumns } from '../space/externalIds.ts'
import { invitationLimitProblem } from '../space/spaces.ts'
import { type AccessRow, accessesOf, type NewAccess, readNewAccess } from './accesses.ts'
import type { LinkParts } from './memberLinks.ts'
import { type MemberRow, selectFitting } from './memberRows.ts'
import { accessesProblem, saveAccesses } from './memberSaves.ts'
import { changeMember, endMember, insertMember, readChange, readNewMember } from './members.ts'

type BulkParts = { readonly database: Database; readonly world: World } & LinkParts

/** What became of one item. */
interface Outcome {
  readonly memberId: string | null
  readonly change: BulkAnswer['members'][number]['change']
  readonly added: number
  readonly changed: number
  readonly revoked: number
  readonly mails: number
  /** How many accesses were read or written for it. */
  readonly handled: number
}

/** What all items have in common. */
interface Applying {
  readonly db: Db
  /** Undefined in a dry run: nothing is written. */
  readonly tx: Knex.Transaction | undefined
  readonly parts: BulkParts
  readonly principal: Principal
  readonly sendsMails: boolean
  /** In a dry run: how many members would have been added, and the limits that the mails so far leave. */
  readonly planned: { members: number; readonly mailLimit: ReturnType<typeof plannedMails> }
}

/** In a dry run: why one of `count` mails to this address would not be queued. */
async function mailProblem(
  { planned, sendsMails }: Applying,
  address: string | null,
  count: number,
): Promise<Problem | undefined> {
  if (address === null || !sendsMails) return undefined
  for (let mail = 0; mail < count; mail++) {
    const full = await planned.mailLimit(address)
    if (full) return full
  }
  return undefined
}

const invalid = (message: string): Problem => ({ problem: 'validation_error', message })
const none = { added: 0, changed: 0, revoked: 0, mails: 0, handled: 0 }

/** The accesses of an item; undefined where it names none. */
function accessesIn({ accesses }: BulkItem, at: string): readonly NewAccess[] | undefined | Problem {
  const read: NewAccess[] = []
  for (const [index, access] of accesses?.entries() ?? []) {
    const one = readNewAccess(access, `${at}accesses[${index}].`)
    if (isProblem(one)) return one
    read.push(one)
  }
  return accesses && read
}

async function create(applying: Applying, item: BulkItem, at: string): Promise<Outcome | Problem> {
  const { db, parts, planned, principal, sendsMails, tx } = applying
  const { spaceId } = principal
  const { email = null, name, note = null, phone = null } = item
  if (name === undefined)
    return invalid(`${at}name is required: there is no active member with this externalId`)
  const added = accessesIn(item, at) ?? []
  if (isProblem(added)) return added
  const given = { name, email, phone, note, ...externalColumns(item), added, sendsMail: sendsMails }
  const limited = () => invitationLimitProblem(db, spaceId, timeIn(db, parts.world), planned.members)
  const mails = sendsMails && email !== null ? 1 : 0
  const counts = { ...none, added: added.length, handled: added.length, mails }
  if (tx) {
    const made = await insertMember(tx, parts, principal, given, limited)
    return isProblem(made) ? made : { ...counts, memberId: made.memberId, change: 'created' }
  }
  const read = await readNewMember(db, spaceId, given, limited)
  const refused = isProblem(read) ? read : await mailProblem(applying, email, mails)
  if (refused) return refused
  planned.members += 1
  return { ...counts, memberId: null, change: 'created' }
}

/** An access that is there keeps what the item does not say of it: a list of gates takes no restriction away. */
function withKept(access: NewAccess, given: AccessGrant | undefined, row: AccessRow | undefined): NewAccess {
  if (!row) return access
  return {
    ...access,
    ...(given?.schedules === undefined && { schedules: JSON.parse(row.schedules) as NewAccess['schedules'] }),
    ...(given?.maxUsage === undefined && { maxUsage: row.maxUsage }),
  }
}

/** Makes the accesses of a member those of the item, and counts the differences. `wanted`: the same, read. */
async function setAccesses(
  applying: Applying,
  member: MemberRow,
  { accesses: given = [] }: BulkItem,
  wanted: readonly NewAccess[],
): Promise<Pick<Outcome, keyof typeof none> | Problem> {
  const { db, parts, principal, sendsMails, tx } = applying
  const rows = await accessesOf(db, { spaceId: member.spaceId, memberId: member.id })
  const pairs = wanted.map((access, place) => {
    const row = rows.find(({ gateId }) => gateId === access.gateId)
    return { access: withKept(access, given[place], row), row }
  })
  const sent = pairs.map(({ access, row }) => ({
    sent: { gateId: access.gateId, maxUsage: access.maxUsage, ...(row && { id: row.id }) },
    schedules: access.schedules,
    at: access.at,
  }))
  const kept = pairs.flatMap(({ access, row }) => (row ? [{ access, row }] : []))
  const isOther = ({ access, row }: (typeof kept)[number]) =>
    row.maxUsage !== access.maxUsage || !isDeepStrictEqual(JSON.parse(row.schedules), access.schedules)
  const added = pairs.length - kept.length
  const refused = tx
    ? await saveAccesses({ tx, world: parts.world, principal, member, sendsMails }, sent)
    : ((await accessesProblem(db, member.spaceId, rows, sent)) ??
      (await mailProblem(applying, member.email, added)))
  if (refused) return refused
  return {
    added,
    changed: kept.filter(isOther).length,
    revoked: rows.length - kept.length,
    mails: sendsMails && member.email !== null ? added : 0,
    handled: Math.max(rows.length, wanted.length),
  }
}

/** The member after a change of its fields: the same row where nothing changes. */
async function changeFields(
  { db, parts, principal, tx }: Applying,
  row: MemberRow,
  fields: MemberUpdate,
): Promise<MemberRow | Problem> {
  if (tx) return changeMember(tx, parts.world, principal, row, fields)
  const change = await readChange(db, row, fields)
  if (!change || isProblem(change)) return change ?? row
  return { ...row, ...change.after }
}

async function change(
  applying: Applying,
  row: MemberRow,
  item: BulkItem,
  at: string,
): Promise<Outcome | Problem> {
  const { accesses: _, isActive: __, ...fields } = item
  const wanted = accessesIn(item, at)
  if (isProblem(wanted)) return wanted
  const member = await changeFields(applying, row, fields)
  if (isProblem(member)) return member
  const counts = wanted ? await setAccesses(applying, member, item, wanted) : none
  if (isProblem(counts)) return counts
  const isChanged = member !== row || counts.added + counts.changed + counts.revoked > 0
  return { ...counts, memberId: row.id, change: isChanged ? 'changed' : 'unchanged' }
}

/** Applies one item. A problem leaves the transaction to be rolled back. */
async function apply(applying: Applying, item: BulkItem, at: string): Promise<Outcome | Problem> {
  const { db, parts, principal, tx } = applying
  const { externalId, isActive = true, ...fields } = item
  const { spaceId } = principal
  const [row] = await selectFitting(db, spaceId, { externalId, isActive: true })
  if (isActive) return row ? change(applying, row, item, at) : create(applying, item, at)
  const [other] = Object.keys(fields)
  if (other !== undefined) return invalid(`${at}${other} must be absent where isActive is false`)
  if (!row) return { ...none, memberId: null, change: 'unchanged' }
  const { length: revoked } = await accessesOf(db, { spaceId, memberId: row.id })
  if (tx)
    await recordActivity(tx, parts.world, { spaceId, ...actorOf(principal), ...(await endMember(tx, row)) })
  return { ...none, memberId: row.id, change: 'deactivated', revoked, handled: revoked }
}

function answerOf(items: readonly BulkItem[], outcomes: readonly Outcome[], isDone: boolean): BulkAnswer {
  const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((total, one) => total + of(one), 0)
  return {
    isDone,
    members: outcomes.map(({ change: made, memberId }, index) => ({
      externalId: items[index]?.externalId ?? '',
      memberId,
      change: made,
    })),
    accessesAdded: sum(({ added }) => added),
    accessesChanged: sum(({ changed }) => changed),
    accessesRevoked: sum(({ revoked }) => revoked),
    mails: sum(({ mails }) => mails),
  }
}

type Fault = { readonly index: number } & Problem

/** The problem of the whole request: in the words and with the code of the first wrong item. */
function problemOf([first, ...others]: readonly Fault[]): Problem | undefined {
  if (!first) return undefined
  const faults = [first, ...others].map(({ index, message }) => ({ index, message }))
  const more = others.length === 0 ? '' : ` (${others.length} more of the items are wrong, too: see faults)`
  const { extra, index: _, ...problem } = first
  return { ...problem, message: `${first.message}${more}`, extra: { ...extra, faults } }
}

const tooMany = `one request may add, change, compare and revoke ${mostAccessesInBulk} accesses, and the items up to this one have more: send the rest in another request`

/**
 * Applies the items in turns of the event loop. The outcomes are those of all items where there is no fault. It ends at the item
 * that passes the limit of accesses, so that one request cannot hold the writes of others for long.
 */
async function applyAll(
  applying: Applying,
  items: readonly BulkItem[],
): Promise<{ readonly outcomes: readonly Outcome[]; readonly faults: readonly Fault[] }> {
  const { parts, principal } = applying
  const outcomes: Outcome[] = []
  const faults: Fault[] = []
  const named = new Set<string>()
  let handled = 0
  const addFault = (index: number, problem: Problem) => {
    const item = `items[${index}]`
    const message = problem.message.startsWith(item) ? problem.message : `${item}: ${problem.message}`
    faults.push({ ...problem, index, message })
  }
  for (const [index, item] of items.entries()) {
    await parts.world.turn(principal.spaceId)
    const at = `items[${index}].`
    const isTwice = named.has(item.externalId)
    named.add(item.externalId)
    const outcome = isTwice
      ? invalid(`${at}externalId is in the list already`)
      : await apply(applying, item, at)
    if (isProblem(outcome)) addFault(index, outcome)
    else {
      outcomes.push(outcome)
      handled += outcome.handled
    }
    if (handled > mostAccessesInBulk) {
      addFault(index, invalid(tooMany))
      break
    }
  }
  return { outcomes, faults }
}

export function memberBulkHandlers(parts: BulkParts): Pick<Handlers, 'bulkMembers'> {
  return {
    async bulkMembers({ body: { isDryRun, items, sendsMails }, principal, write }) {
      const { spaceId } = principal
      const answered = async (db: Db, tx?: Knex.Transaction) => {
        const planned = { members: 0, mailLimit: plannedMails(db, parts.world, spaceId) }
        const applying = { db, tx, parts, principal, sendsMails, planned }
        const { faults, outcomes } = await applyAll(applying, items)
        const problem = problemOf(faults)
        return problem ?? ({ status: 200, body: answerOf(items, outcomes, !isDryRun) } as const)
      }
      // It only reads: it may take long, and nobody waits for it.
      if (isDryRun) return answered(parts.database.knex)
      return write(tx => answered(tx, tx), { spaceId, isLong: true })
    },
  }
}
