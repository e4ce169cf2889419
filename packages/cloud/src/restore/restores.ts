// After a restore from a backup: nothing older takes effect, presses are refused for a while, and no report is lost.

import { lockedAtMostMs } from '@callgate/contract/wire/timing'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { longestCoolDownMs } from '../core/opening.ts'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import type { Marked, OpeningsAfterLoss } from './afterLoss.ts'

export interface RestoreRow {
  readonly id: number
  readonly takenAt: string
  readonly restoredAt: string
  readonly confirmedAt: string | null
  readonly holdsNumbers: boolean
}

/** The last restore; undefined where the data was never restored. */
export async function lastRestore(db: Db): Promise<RestoreRow | undefined> {
  return db('restores').orderBy('id', 'desc').first()
}

/** Records that the data is restored, or has gone back. Earlier calls may still run, so their numbers are held. */
export async function noteRestore(
  tx: Db,
  row: Pick<RestoreRow, 'takenAt' | 'restoredAt' | 'confirmedAt'>,
): Promise<void> {
  await tx('restores').insert({ ...row, holdsNumbers: true })
}

/**
 * Marks data that has gone back while it was served, because its database has lost the last commits. A waiting opening may have
 * got a grant, so it ends as after a restore. An opening that was granted before still gets its report. No confirmation is
 * needed, unless an earlier restore still waits for one.
 */
export async function markWentBack(
  tx: Knex.Transaction,
  world: World,
  lostSince: string,
  { markEnds }: Pick<OpeningsAfterLoss, 'markEnds'>,
): Promise<Marked> {
  const restoredAt = isoTime(timeIn(tx, world))
  const isUnconfirmed = (await lastRestore(tx))?.confirmedAt === null
  const marked = await markEnds(tx)
  const confirmedAt = isUnconfirmed ? null : restoredAt
  await noteRestore(tx, { takenAt: lostSince, restoredAt, confirmedAt })
  return marked
}

/** Ends the lockout for guests and keys on behalf of the operator; undefined when no restore waits for a confirmation. */
export async function confirmRestore(
  database: Database,
  world: World,
): Promise<{ readonly takenAt: string; readonly strayReports: number } | undefined> {
  return database.write(async tx => {
    const restore = await lastRestore(tx)
    if (!restore || restore.confirmedAt !== null) return undefined
    await tx('restores')
      .where({ id: restore.id })
      .update({ confirmedAt: isoTime(world.nowMs()) })
    const [stray] = await tx('strayReports').count({ reports: '*' })
    return { takenAt: restore.takenAt, strayReports: Number(stray?.reports ?? 0) }
  })
}

/** How long, from the start on restored data, an earlier call may run or its gate may move. Milliseconds. */
export const numbersHeldMs = lockedAtMostMs + longestCoolDownMs
const askAgainS = 60

/** Why presses are refused after a restore, and after how many seconds a retry makes sense. */
export interface Shut {
  /** `unconfirmed`: until the operator confirms the restore. `numbers_held`: an earlier call may still run. */
  readonly why: 'unconfirmed' | 'numbers_held'
  readonly againInS: number
}

export interface RestoreLockout {
  /** Undefined while presses are let through. */
  shut(): Promise<Shut | undefined>
  /** Starts the lockout again, because the data has just gone back. */
  shutAgain(): void
  /** Whether it has not opened since. A request that was let through before may press only now. */
  isShutAgain(): boolean
}

/** The lockout of a cloud that starts now. */
export function createRestoreLockout({
  database,
  world,
}: {
  database: Database
  world: World
}): RestoreLockout {
  // The monotonic clock: it stops while the machine sleeps, so it frees no number too early.
  let since = { monotonicMs: world.monotonicMs(), isOpen: false, isAgain: false }
  return {
    async shut() {
      const mine = since
      if (mine.isOpen) return undefined
      const restore = await lastRestore(database.knex)
      if (restore && restore.confirmedAt === null) return { why: 'unconfirmed', againInS: askAgainS }
      if (restore?.holdsNumbers) {
        const leftMs = numbersHeldMs - (world.monotonicMs() - mine.monotonicMs)
        if (leftMs > 0) return { why: 'numbers_held', againInS: Math.ceil(leftMs / 1000) }
        await database.write(tx =>
          tx('restores').where('id', '<=', restore.id).update({ holdsNumbers: false }),
        )
      }
      // `shutAgain` may have replaced `since` meanwhile, so only this object is changed.
      mine.isOpen = true
      return undefined
    },
    shutAgain() {
      since = { monotonicMs: world.monotonicMs(), isOpen: false, isAgain: true }
    },
    isShutAgain: () => since.isAgain && !since.isOpen,
  }
}

/** A limit against a full disk. A gateway has only the reports that it could not send during an outage. */
export const mostStrayReports = 5_000

/**
 * Keeps a report for which the data has no grant, with its gateway and so in its Space, because the data may have gone back. A
 * report without a call is kept only where the data is known to have gone back. Returns false where the report is refused.
 */
export async function keepStrayReport(
  tx: Db,
  world: World,
  sent: {
    readonly gatewayId: string
    readonly openingId: string
    readonly bootId: string
    readonly seq: number
    readonly body: string
    readonly signature: string
  },
  tellsOfCall: boolean,
): Promise<boolean> {
  if (!tellsOfCall && !(await lastRestore(tx))) return false
  const { bootId, body, gatewayId, openingId, seq, signature } = sent
  if (await tx('strayReports').where({ gatewayId, bootId, seq }).first()) return true
  const [kept] = await tx('strayReports').where({ gatewayId }).count({ reports: '*' })
  if (Number(kept?.reports ?? 0) >= mostStrayReports) return false
  const receivedAt = isoTime(timeIn(tx, world))
  await tx('strayReports').insert({ openingId, gatewayId, bootId, seq, body, signature, receivedAt })
  return true
}
