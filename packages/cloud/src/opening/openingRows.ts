// The SQL of openings: inserts a row, finds one by id, and reads the state of a number.

import type { GateCallers } from '@callgate/contract/call/gateCallers'
import { type OpeningClass, openingClasses } from '@callgate/contract/call/openingClass'
import { openingStatuses } from '@callgate/contract/rest/opening'
import { magicNames, magicNumber } from '@callgate/contract/sandbox/magicNumbers'
import { isoTime } from '@callgate/world/world'
import type { Knex } from 'knex'
import { seemsAtMostMs } from '../core/lease.ts'
import { isRunning, type OpeningRow } from '../core/opening.ts'
import { byIndex } from '../database/byIndex.ts'
import type { Db } from '../database/database.ts'
import { isPostgres } from '../database/dialect.ts'
import { sent } from '../database/pipeline.ts'
import { statement, type Values } from '../database/statement.ts'

/** A new row. Columns that are left out are null or false. */
export type NewOpening = Pick<
  OpeningRow,
  'id' | 'spaceId' | 'gateId' | 'gateName' | 'phoneNumber' | 'calledAt' | 'grantBefore'
> &
  Pick<OpeningRow, 'actorType' | 'actorName' | 'actorEmail'> &
  Pick<OpeningRow, 'apiKeyId' | 'userId' | 'sessionId' | 'memberId' | 'accessId'> &
  Partial<OpeningRow>

const insert = statement<NewOpening, never>((db, row) => db('openings').insert(row))

export async function insertOpening(tx: Db, row: NewOpening): Promise<void> {
  await sent(tx, insert(tx, { status: 'initiated', usageHeld: false, isSettled: false, ...row }))
}

const openingById = statement<{ readonly id: string }, OpeningRow>((db, { id }) =>
  db('openings').where({ id }),
)

export async function findOpening(db: Db, openingId: string): Promise<OpeningRow | undefined> {
  const [row] = await openingById(db, { id: openingId })
  return row
}

const withCallers = statement<{ readonly id: string }, OpeningRow & { readonly callers: string | null }>(
  (db, { id }) =>
    db('openings as opening')
      .leftJoin('gates as gate', 'gate.id', 'opening.gateId')
      .where('opening.id', id)
      .select('opening.*', 'gate.callers'),
)

/** Finds an opening, and which gateways may call its gate. */
export async function findOpeningWithCallers(
  db: Db,
  openingId: string,
): Promise<{ readonly opening?: OpeningRow; readonly callers: GateCallers }> {
  const [row] = await withCallers(db, { id: openingId })
  if (!row) return { callers: {} }
  const { callers, ...opening } = row
  return { opening, callers: callers === null ? {} : (JSON.parse(callers) as GateCallers) }
}

/** Finds an opening of one Space; it does not find that of another. */
export async function findOpeningOf(
  db: Db,
  spaceId: string,
  openingId: string,
): Promise<OpeningRow | undefined> {
  const row = await findOpening(db, openingId)
  return row?.spaceId === spaceId ? row : undefined
}

/** Running openings, of all Spaces. */
export function runningOpenings(db: Db): Knex.QueryBuilder {
  return byIndex(db, 'openings', 'openings_running').whereNull('completedAt')
}

/** Running openings of live Spaces. Those of sandboxes have numbers that nobody has. */
export const runningLive = (db: Db): Knex.QueryBuilder =>
  runningOpenings(db).whereNotIn('phoneNumber', magicNames.map(magicNumber))

const endedClasses = openingClasses.filter(one => one !== 'running')
const endedStatuses = openingStatuses.filter(status => !isRunning({ status }))

/** Openings that ended in a Space or at a gate, with a class or a status. */
interface Ended extends Values {
  readonly spaceId?: string | undefined
  readonly gateId?: string | undefined
  readonly class?: OpeningClass | undefined
  readonly status?: OpeningRow['status'] | undefined
}

/**
 * Ended openings of a class or a status. Postgres has an index for each. On SQLite, one index has the rows of each class with
 * each status in the order of the lists: they are merged, and no more of each is read than the page needs.
 */
export function endedOpenings(db: Db, given: Ended): Knex.QueryBuilder {
  const { class: only, gateId, status } = given
  if (isPostgres(db)) return db.from('openings').where(given).whereNotNull('completedAt')
  const index = gateId === undefined ? 'openings_by_end' : 'openings_of_gate_by_end'
  const classes = only === undefined ? endedClasses : [only]
  const statuses = status === undefined ? endedStatuses : [status]
  const parts = classes.flatMap(one =>
    statuses.map(other =>
      byIndex(db, 'openings', index)
        .where({ ...given, class: one, status: other })
        .whereNotNull('completedAt'),
    ),
  )
  return db.from(db.unionAll(parts).as('openings'))
}

/** The ended openings of a class in a Space, to be counted: in no order, so nothing is merged. */
export function endedOfClass(db: Db, of: { readonly spaceId: string; readonly class: OpeningClass }) {
  if (isPostgres(db)) return endedOpenings(db, of)
  return byIndex(db, 'openings', 'openings_by_end')
    .where(of)
    .whereIn('status', endedStatuses)
    .whereNotNull('completedAt')
}

/** The openings that have joined another. */
export const joinersOf = statement<{ readonly joinedOpeningId: string }, OpeningRow>((db, leader) =>
  db('openings').where(leader),
)

/** The openings of all Spaces that run or hold a number, as an earlier run of the cloud left them. */
export async function openingsLeft(db: Db): Promise<readonly OpeningRow[]> {
  const running: OpeningRow[] = await runningOpenings(db)
  const holding: OpeningRow[] = await byIndex(db, 'openings', 'openings_single_flight').whereNotNull(
    'lockedNumber',
  )
  return [...running, ...holding.filter(row => !isRunning(row))]
}

/** Those of them whose replica is gone at `nowMs`. */
export async function orphanedOpenings(db: Db, nowMs: number): Promise<readonly OpeningRow[]> {
  const live = db('replicas')
    .where('id', db.ref('openings.owner'))
    .where('epoch', db.ref('openings.ownerEpoch'))
    .where('leaseUntil', '>', isoTime(nowMs))
    .where('leaseUntil', '<=', isoTime(nowMs + seemsAtMostMs))
  const running: OpeningRow[] = await runningOpenings(db).whereNotExists(live.clone())
  const holding: OpeningRow[] = await byIndex(db, 'openings', 'openings_single_flight')
    .whereNotNull('lockedNumber')
    .whereNotExists(live)
  return [...running, ...holding.filter(row => !isRunning(row))]
}

/** The state of a number in one Space at a press. */
export interface NumberState {
  /** The opening that holds the number now, ended or not. */
  readonly holder: OpeningRow | undefined
  /**
   * The last calls on it that may have moved the gate: the remembered call, or the calls that were recorded last. Two are
   * recorded where the clock was set back since: one of them is dated later than now.
   */
  readonly calls: readonly OpeningRow[]
}

interface CalledNumber extends Values {
  readonly spaceId: string
  readonly phoneNumber: string
  readonly lastCallId: string | null
}

interface CalledBefore extends CalledNumber {
  readonly now: string
}

type NumberPlace = Pick<CalledNumber, 'spaceId'> & { readonly phoneNumber: string | Knex.QueryBuilder }

const holding = (db: Db, { phoneNumber, spaceId }: NumberPlace) =>
  db('openings').select('id').where({ spaceId }).where('lockedNumber', phoneNumber)

const rememberedCall = (db: Db, { lastCallId, phoneNumber, spaceId }: CalledNumber) =>
  db('openings').select('id').where({ id: lastCallId, spaceId, phoneNumber }).whereNot({ opened: 'no' })

/**
 * Selects from all calls of the number. SQLite uses the index `openings_called` only for a condition with the index's exact text.
 */
const recorded = (db: Db, { phoneNumber, spaceId }: NumberPlace) =>
  db('openings')
    .select('id')
    .where({ spaceId, joinedOpeningId: null })
    .where('phoneNumber', phoneNumber)
    .whereRaw(`"grantedAt" is not null and "opened" <> 'no'`)
    .orderBy('completedAt', 'desc')
    .limit(1)

const recordedBefore = (db: Db, of: CalledBefore) => recorded(db, of).where('completedAt', '<=', of.now)

const openingsOfNumber = statement<CalledNumber, OpeningRow>((db, of) =>
  db('openings').whereIn('id', holding(db, of)).orWhereIn('id', rememberedCall(db, of)),
)

const openingsEverOfNumber = statement<CalledBefore, OpeningRow>((db, of) =>
  db('openings')
    .whereIn('id', holding(db, of))
    .orWhereIn('id', rememberedCall(db, of))
    .orWhereIn('id', recorded(db, of))
    .orWhereIn('id', recordedBefore(db, of)),
)

/** The opening that holds the number of a gate, and the call that was recorded last on it. */
const openingsAtGate = statement<{ readonly spaceId: string; readonly gateId: string }, OpeningRow>(
  (db, { gateId, spaceId }) => {
    const phoneNumber = () => db('gates').select('phoneNumber').where({ id: gateId, spaceId })
    return db('openings')
      .whereIn('id', holding(db, { spaceId, phoneNumber: phoneNumber() }))
      .orWhereIn('id', recorded(db, { spaceId, phoneNumber: phoneNumber() }))
  },
)

/** Reads what a press at a gate usually needs of its number, by the gate's id alone. */
export const readNumberOf = (db: Db, gate: { readonly spaceId: string; readonly gateId: string }) =>
  openingsAtGate(db, gate)

interface NumberAsked {
  readonly spaceId: string
  readonly phoneNumber: string
  /** The call that ended last on the number, as this process remembers it. */
  readonly lastCallId: string | undefined
  /** Whether to include calls that ended before this process began, however long ago. */
  readonly fromBefore: boolean
  /** Milliseconds since the epoch. */
  readonly nowMs: number
}

/**
 * Whether the rows of `readNumberOf` are not enough: the remembered call is not the last one on record, or the clock was set
 * back, so that the last one is dated later than now.
 */
const isMore = (rows: readonly OpeningRow[], { lastCallId, nowMs }: NumberAsked) =>
  (lastCallId !== undefined && !rows.some(({ id }) => id === lastCallId)) ||
  rows.some(({ completedAt }) => completedAt !== null && completedAt > isoTime(nowMs))

/** Who holds a number, and the last calls on it. `atGate`: the rows of `readNumberOf` for a gate of that number. */
export async function findNumberState(
  db: Db,
  asked: NumberAsked,
  atGate: readonly OpeningRow[],
): Promise<NumberState> {
  const { fromBefore, lastCallId = null, nowMs, phoneNumber, spaceId } = asked
  const of = { spaceId, phoneNumber, lastCallId }
  const ever = { ...of, now: isoTime(nowMs) }
  const isEnough = !isMore(atGate, asked)
  const rows = isEnough
    ? atGate
    : await (fromBefore ? openingsEverOfNumber(db, ever) : openingsOfNumber(db, of))
  const calls = rows.filter(row => row.lockedNumber === null)
  const remembered = calls.filter(({ id }) => id === lastCallId)
  return {
    holder: rows.find(row => row.lockedNumber !== null),
    calls: remembered.length > 0 ? remembered : fromBefore ? calls : [],
  }
}
