// Many members at once: each item is applied in one transaction, which a wrong item or a dry run rolls back.

import { isDeepStrictEqual } from 'node:util'
import type { AccessGrant } from '@callgate/contract/rest/access'
import { type BulkAnswer, type BulkItem, mostAccessesInBulk } from '@callgate/contract/rest/memberBulk'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import type { World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { actorOf, recordActivity } from '../activity/activity.ts'
import type { Database } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import type { Handlers, Principal } from '../http/handler.ts'
import { externalColumns } from '../space/externalIds.ts'
import { invitationLimitProblem } from '../space/spaces.ts'
import { type AccessRow, accessesOf, type NewAccess, readNewAccess } from './accesses.ts'
import type { LinkParts } from './memberLinks.ts'
import { type MemberRow, selectFitting } from './memberRows.ts'
import { saveAccesses } from './memberSaves.ts'
import { changeMember, endMember, insertMember } from './members.ts'
import { tryOrWrite } from './tryOrWrite.ts'

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
  readonly tx: Knex.Transaction
  readonly parts: BulkParts
  readonly principal: Principal
  readonly sendsMails: boolean
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

async function create(
  { parts, principal, sendsMails, tx }: Applying,
  item: BulkItem,
  at: string,
): Promise<Outcome | Problem> {
  const { email = null, name, note = null, phone = null } = item
  if (name === undefined)
    return invalid(`${at}name is required: there is no active member with this externalId`)
  const added = accessesIn(item, at) ?? []
  if (isProblem(added)) return added
  const given = { name, email, phone, note, ...externalColumns(item), added, sendsMail: sendsMails }
  const limited = () => invitationLimitProblem(tx, principal.spaceId, timeIn(tx, parts.world))
  const made = await insertMember(tx, parts, principal, given, limited)
  if (isProblem(made)) return made
  const mails = sendsMails && email !== null ? 1 : 0
  const counts = { ...none, added: added.length, handled: added.length, mails }
  return { ...counts, memberId: made.memberId, change: 'created' }
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
  { parts: { world }, principal, sendsMails, tx }: Applying,
  member: MemberRow,
  { accesses: given = [] }: BulkItem,
  wanted: readonly NewAccess[],
): Promise<Pick<Outcome, keyof typeof none> | Problem> {
  const rows = await accessesOf(tx, { spaceId: member.spaceId, memberId: member.id })
  const pairs = wanted.map((access, place) => {
    const row = rows.find(({ gateId }) => gateId === access.gateId)
    return { access: withKept(access, given[place], row), row }
  })
  const sent = pairs.map(({ access, row }) => ({
    sent: { gateId: access.gateId, maxUsage: access.maxUsage, ...(row && { id: row.id }) },
    schedules: access.schedules,
    at: access.at,
  }))
  const refused = await saveAccesses({ tx, world, principal, member, sendsMails }, sent)
  if (refused) return refused
  const kept = pairs.flatMap(({ access, row }) => (row ? [{ access, row }] : []))
  const isOther = ({ access, row }: (typeof kept)[number]) =>
    row.maxUsage !== access.maxUsage || !isDeepStrictEqual(JSON.parse(row.schedules), access.schedules)
  const added = pairs.length - kept.length
  return {
    added,
    changed: kept.filter(isOther).length,
    revoked: rows.length - kept.length,
    mails: sendsMails && member.email !== null ? added : 0,
    handled: Math.max(rows.length, wanted.length),
  }
}

async function change(
  applying: Applying,
  row: MemberRow,
  item: BulkItem,
  at: string,
): Promise<Outcome | Problem> {
  const { parts, principal, tx } = applying
  const { accesses: _, isActive: __, ...fields } = item
  const wanted = accessesIn(item, at)
  if (isProblem(wanted)) return wanted
  const member = await changeMember(tx, parts.world, principal, row, fields)
  if (isProblem(member)) return member
  const counts = wanted ? await setAccesses(applying, member, item, wanted) : none
  if (isProblem(counts)) return counts
  const isChanged = member !== row || counts.added + counts.changed + counts.revoked > 0
  return { ...counts, memberId: row.id, change: isChanged ? 'changed' : 'unchanged' }
}

/** Applies one item. A problem leaves the transaction to be rolled back. */
async function apply(applying: Applying, item: BulkItem, at: string): Promise<Outcome | Problem> {
  const { parts, principal, tx } = applying
  const { externalId, isActive = true, ...fields } = item
  const { spaceId } = principal
  const [row] = await selectFitting(tx, spaceId, { externalId, isActive: true })
  if (isActive) return row ? change(applying, row, item, at) : create(applying, item, at)
  const [other] = Object.keys(fields)
  if (other !== undefined) return invalid(`${at}${other} must be absent where isActive is false`)
  if (!row) return { ...none, memberId: null, change: 'unchanged' }
  const { length: revoked } = await accessesOf(tx, { spaceId, memberId: row.id })
  const entry = await endMember(tx, row)
  await recordActivity(tx, parts.world, { spaceId, ...actorOf(principal), ...entry })
  return { ...none, memberId: row.id, change: 'deactivated', revoked, handled: revoked }
}

function answerOf(items: readonly BulkItem[], outcomes: readonly Outcome[], isDone: boolean): BulkAnswer {
  const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((total, one) => total + of(one), 0)
  return {
    isDone,
    members: outcomes.map(({ change: made, memberId }, index) => ({
      externalId: items[index]?.externalId ?? '',
      memberId: !isDone && made === 'created' ? null : memberId,
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
    bulkMembers: ({ body: { isDryRun, items, sendsMails }, principal, write }) =>
      tryOrWrite<BulkAnswer>({ isDryRun, spaceId: principal.spaceId, write }, async tx => {
        const { faults, outcomes } = await applyAll({ tx, parts, principal, sendsMails }, items)
        return problemOf(faults) ?? answerOf(items, outcomes, !isDryRun)
      }),
  }
}
