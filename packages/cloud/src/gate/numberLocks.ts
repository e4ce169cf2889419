// The locks of numbers over all Spaces: a row for each number that was called lately. It is locked last in the transaction of a
// grant, after the lock of the Space, so that two grants never deadlock.

import { isoTime } from '@callgate/world/world'
import type { OpeningRow } from '../core/opening.ts'
import type { Db } from '../database/database.ts'
import { locked, unlocked } from '../database/dialect.ts'
import { sent } from '../database/pipeline.ts'
import { statement, type Values } from '../database/statement.ts'
import { askForNumber, type Holder, keptUntilMs, type NumberLock } from './core/numberLock.ts'

/** A row of the table `numberLocks`. */
interface NumberRow {
  readonly phoneNumber: string
  readonly openingId: string
  /** The Space of the opening. The row itself belongs to no Space. */
  readonly heldBy: string
  readonly heldSince: string
  readonly isMoved: boolean
  readonly hasRefused: boolean
  readonly waits: string
  readonly refusals: string
}

interface Asking extends Values {
  readonly phoneNumber: string
  readonly openingId: string
  readonly heldBy: string
  readonly heldSince: string
}

const ofNew = (db: Db) => ({
  isMoved: db.raw('false'),
  hasRefused: db.raw('false'),
  waits: db.raw(`'{}'`),
  refusals: db.raw(`'{}'`),
})

/**
 * Takes the number where it is new here or its Space has called it last, and returns the row after that. It locks the row in any
 * case.
 */
const take = statement<Asking, Omit<NumberRow, 'phoneNumber'>>((db, asking) => {
  const ofOwnSpace = (column: string) =>
    db.raw(
      `case when "numberLocks"."heldBy" = excluded."heldBy" and not "numberLocks"."isMoved"
       then excluded.?? else "numberLocks".?? end`,
      [column, column],
    )
  const columns = ['openingId', 'heldSince', 'hasRefused']
  return db('numberLocks')
    .insert({ ...asking, ...ofNew(db) })
    .onConflict('phoneNumber')
    .merge(Object.fromEntries(columns.map(column => [column, ofOwnSpace(column)])))
    .returning(['openingId', 'heldBy', 'heldSince', 'isMoved', 'hasRefused', 'waits', 'refusals'])
})

const holderOf = statement<{ readonly id: string; readonly spaceId: string }, Holder>((db, of) =>
  db('openings').select('lockedNumber', 'completedAt', 'opened', 'grantedProfile', 'status').where(of),
)

/** A row has no effect after an hour. */
const rowsKeptMs = 3_600_000
const purgedAtOnce = 20

/** The number of the grant itself keeps its row, however old that is: the grant is written there. */
const purge = statement<{ readonly phoneNumber: string; readonly until: string }, never>(
  (db, { phoneNumber, until }) => {
    const old = db('numberLocks')
      .select('phoneNumber')
      .where('heldSince', '<=', until)
      .whereNot({ phoneNumber })
      .limit(purgedAtOnce)
    return db('numberLocks').whereIn('phoneNumber', unlocked(db, old)).delete()
  },
)

function lockOf(row: Omit<NumberRow, 'phoneNumber'>): NumberLock {
  return {
    openingId: row.openingId,
    spaceId: row.heldBy,
    heldSinceMs: Date.parse(row.heldSince),
    hasRefused: Boolean(row.hasRefused),
    waits: JSON.parse(row.waits) as NumberLock['waits'],
    refusals: JSON.parse(row.refusals) as NumberLock['refusals'],
  }
}

/** The state of a grant's number. `overridden`: it is taken from this Space, whose call may not be over. */
export interface NumberTaken {
  readonly isTaken: boolean
  readonly overridden?: string
}

/** Takes the number of an opening for its Space, inside the transaction of its grant. */
export async function takeNumber(
  tx: Db,
  { id, phoneNumber, spaceId }: Pick<OpeningRow, 'id' | 'phoneNumber' | 'spaceId'>,
  nowMs: number,
): Promise<NumberTaken> {
  const [row] = await take(tx, { phoneNumber, openingId: id, heldBy: spaceId, heldSince: isoTime(nowMs) })
  // After the lock: the delete waits for no row that another grant holds.
  await sent(tx, purge(tx, { phoneNumber, until: isoTime(nowMs - rowsKeptMs) }))
  if (!row || row.openingId === id) return { isTaken: true }
  const [holder] = await holderOf(tx, { id: row.openingId, spaceId: row.heldBy })
  const { isOverridden, kind, lock } = askForNumber(lockOf(row), holder, { openingId: id, spaceId, nowMs })
  await tx('numberLocks')
    .where({ phoneNumber })
    .update({
      openingId: lock.openingId,
      heldBy: lock.spaceId,
      isMoved: kind === 'refuse' && Boolean(row.isMoved),
      heldSince: isoTime(lock.heldSinceMs),
      hasRefused: lock.hasRefused,
      waits: JSON.stringify(lock.waits),
      refusals: JSON.stringify(lock.refusals),
    })
  return { isTaken: kind === 'take', ...(isOverridden && { overridden: row.heldBy }) }
}

/** A change of a gate's number to `to` from `from`, inside the transaction that writes it. */
export interface NumberChange {
  readonly spaceId: string
  readonly from: string
  readonly to: string
}

/**
 * A call of the Space to the gate's former number also keeps the new one, until it is over and the gate has come to rest: both
 * may be one module. A call that has the new number already has priority.
 */
export async function keepBothNumbers(
  tx: Db,
  { from, spaceId, to }: NumberChange,
  nowMs: number,
): Promise<void> {
  const isKept = async ({ heldBy, openingId }: NumberRow) => {
    const [holder] = await holderOf(tx, { id: openingId, spaceId: heldBy })
    return nowMs < keptUntilMs(holder)
  }
  const before = await tx<NumberRow>('numberLocks').where({ phoneNumber: from }).first()
  if (before?.heldBy !== spaceId || !(await isKept(before))) return
  const of = tx<NumberRow>('numberLocks').where({ phoneNumber: to })
  const [there]: NumberRow[] = await locked(tx, of.clone())
  const { heldSince, openingId } = before
  const moved = { openingId, heldBy: spaceId, heldSince, isMoved: true, hasRefused: false }
  if (!there)
    await tx('numberLocks')
      .insert({ phoneNumber: to, ...ofNew(tx), ...moved })
      .onConflict('phoneNumber')
      .ignore()
  else if (!(await isKept(there))) await of.update(moved)
}
