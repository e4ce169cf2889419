// The SQL of one opening's row: how it begins, how it ends, and who ends with it.

import { isoTime } from '@callgate/world/world'
import { type Ending, handOver, type OpeningRow } from '../core/opening.ts'
import type { Db } from '../database/database.ts'
import { statement, type Values } from '../database/statement.ts'
import type { KeyOpening } from '../http/rateLimit.ts'
import { giveUsageBack, recordUsage } from './accessUsage.ts'

/** A new row; what is not given is null or false. */
export type NewOpening = Pick<
  OpeningRow,
  'id' | 'spaceId' | 'gateId' | 'gateName' | 'phoneNumber' | 'calledAt' | 'grantBefore'
> &
  Pick<OpeningRow, 'actorType' | 'actorName' | 'actorEmail' | 'apiKeyId' | 'memberId' | 'accessId'> &
  Partial<OpeningRow>

const insert = statement<NewOpening, never>((db, row) => db('openings').insert(row))

export async function insertOpening(tx: Db, row: NewOpening): Promise<void> {
  await insert(tx, { status: 'initiated', usageHeld: false, isSettled: false, ...row })
}

const openingById = statement<{ readonly id: string }, OpeningRow>((db, { id }) =>
  db('openings').where({ id }),
)

const joinersOf = statement<{ readonly joinedOpeningId: string }, OpeningRow>((db, leader) =>
  db('openings').where(leader),
)

export async function findOpening(db: Db, openingId: string): Promise<OpeningRow | undefined> {
  const [row] = await openingById(db, { id: openingId })
  return row
}

/** Who began an opening by an API key, and when. */
/** The openings that API keys of any Space began since `sinceMs`, oldest first. */
export async function readKeyOpenings(db: Db, sinceMs: number): Promise<readonly KeyOpening[]> {
  // By the Spaces, since the index on `calledAt` begins with theirs: the whole history is not read.
  return db('openings')
    .select('apiKeyId', 'calledAt')
    .whereIn('spaceId', db('spaces').select('id'))
    .where('calledAt', '>', isoTime(sinceMs))
    .whereNotNull('apiKeyId')
    .orderBy('calledAt')
}

/** What there is about a number in a Space when it is pressed. */
export interface NumberState {
  /** The opening that holds the number now, ended or not. */
  readonly holder: OpeningRow | undefined
  /** The last call on it that may have moved the gate, as far as is known. */
  readonly call: OpeningRow | undefined
}

interface CalledNumber extends Values {
  readonly spaceId: string
  readonly phoneNumber: string
  readonly lastCallId: string | null
}

const holding = (db: Db, { phoneNumber, spaceId }: CalledNumber) =>
  db('openings').select('id').where({ spaceId, lockedNumber: phoneNumber })

const remembered = (db: Db, { lastCallId, phoneNumber, spaceId }: CalledNumber) =>
  db('openings').select('id').where({ id: lastCallId, spaceId, phoneNumber }).whereNot({ opened: 'no' })

/** Of all that the number ever had. In the words of the index `openings_called`, which SQLite would not use otherwise. */
const recorded = (db: Db, { phoneNumber, spaceId }: CalledNumber) =>
  db('openings')
    .select('id')
    .where({ spaceId, phoneNumber, joinedOpeningId: null })
    .whereRaw(`"grantedAt" is not null and "opened" <> 'no'`)
    .orderBy('completedAt', 'desc')
    .limit(1)

const openingsOfNumber = statement<CalledNumber, OpeningRow>((db, of) =>
  db('openings').whereIn('id', holding(db, of)).orWhereIn('id', remembered(db, of)),
)

const openingsEverOfNumber = statement<CalledNumber, OpeningRow>((db, of) =>
  db('openings')
    .whereIn('id', holding(db, of))
    .orWhereIn('id', remembered(db, of))
    .orWhereIn('id', recorded(db, of)),
)

interface NumberAsked {
  readonly spaceId: string
  readonly phoneNumber: string
  /** The call that ended last on the number, as this process remembers it. */
  readonly lastCallId: string | undefined
  /** Whether calls that ended before this process began are asked for as well, however long ago. */
  readonly fromBefore: boolean
}

/** Who holds a number and what was called on it last, by one statement: every press waits for it. */
export async function findNumberState(db: Db, asked: NumberAsked): Promise<NumberState> {
  const { fromBefore, lastCallId = null, phoneNumber, spaceId } = asked
  const find = fromBefore ? openingsEverOfNumber : openingsOfNumber
  const rows = await find(db, { spaceId, phoneNumber, lastCallId })
  const calls = rows.filter(row => row.lockedNumber === null)
  return {
    holder: rows.find(row => row.lockedNumber !== null),
    call: calls.find(({ id }) => id === lastCallId) ?? calls[0],
  }
}

export interface End {
  readonly row: OpeningRow
  readonly ending: Ending
  /** Milliseconds since the epoch. */
  readonly atMs: number
  /** The gateway's own word, after which nothing changes any more. */
  readonly isSettled: boolean
  /** Whether the number is free now. It stays locked when the cloud gives up before the gateway has spoken. */
  readonly freesNumber: boolean
  /** Whether a call was placed, as far as anybody knows: if not, a joiner may take over and the usage is given back. */
  readonly dialled: boolean
  /** Which joiner is still in time to take over. */
  readonly isInTime: (joiner: OpeningRow) => boolean
}

export interface Ended {
  /** The opening that led, and who ended with it. */
  readonly row: OpeningRow
  readonly endedIds: readonly string[]
  /** Whether there was a call, as far as anybody knows. */
  readonly dialled: boolean
  /** The joiner that leads now. */
  readonly heir: OpeningRow | undefined
}

/** Counts a completed call at its gate and its access. Whoever joined it is not counted. */
async function countCompleted(tx: Db, row: OpeningRow, completedAt: string): Promise<void> {
  await tx('gates')
    .where({ id: row.gateId, spaceId: row.spaceId })
    .update({
      openCount: tx.raw('"openCount" + 1'),
      lastOpenedAt: tx.raw('case when "lastOpenedAt" > ? then "lastOpenedAt" else ? end', [
        completedAt,
        completedAt,
      ]),
    })
  if (row.accessId !== null) await recordUsage(tx, row, completedAt)
}

/** Ends an opening and whoever joined it, or hands over to a joiner; keeps the counters of gate and access true. */
export async function endOpening(tx: Db, end: End): Promise<Ended> {
  const { atMs, ending, row } = end
  // The wall clock may have been set back since it began.
  const completedAt = isoTime(Math.max(atMs, Date.parse(row.calledAt)))
  // Once: the row says afterwards that it holds none.
  if (row.usageHeld && !end.dialled) await giveUsageBack(tx, row)
  await tx<OpeningRow>('openings')
    .where({ id: row.id })
    .update({
      ...ending,
      completedAt,
      usageHeld: Boolean(row.usageHeld) && end.dialled,
      ...(end.isSettled && { isSettled: true }),
      ...(end.freesNumber && { lockedNumber: null }),
    })
  if (ending.status === 'completed' && row.joinedOpeningId === null)
    await countCompleted(tx, row, completedAt)

  const joiners = await joinersOf(tx, { joinedOpeningId: row.id })
  const { followers, heir, tooLate } = handOver(joiners, joiner => !end.dialled && end.isInTime(joiner))
  for (const joiner of tooLate)
    await tx<OpeningRow>('openings')
      .where({ id: joiner.id })
      .update({ ...ending, completedAt: joiner.calledAt > completedAt ? joiner.calledAt : completedAt })
  if (heir) {
    await tx<OpeningRow>('openings')
      .where({ id: heir.id })
      .update({ joinedOpeningId: null, lockedNumber: heir.phoneNumber })
    await tx<OpeningRow>('openings')
      .whereIn(
        'id',
        followers.map(follower => follower.id),
      )
      .update({ joinedOpeningId: heir.id })
  }
  const endedIds = [row.id, ...tooLate.map(joiner => joiner.id)]
  return { row, endedIds, dialled: end.dialled, heir }
}
