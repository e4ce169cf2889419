// After a restore from a backup: nothing older takes effect, presses are refused for a while, and no report is lost.

import { lockedAtMostMs } from '@callgate/contract/wire/timing'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { endingUnknown, isRunning, isUngranted, type OpeningRow } from '../core/opening.ts'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { forgetEvents } from '../event/events.ts'
import { type Ended, endOpening } from './endOpening.ts'
import { recordSteps } from './openingEvents.ts'
import { joinersOf, runningOpenings } from './openingRows.ts'
import { longestCoolDownMs } from './presses.ts'

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

/** Why a mail that waited at the backup is not sent: it says so in the list of mails. */
const maybeSent = 'restored from a backup: nobody knows whether it was sent meanwhile'

/**
 * Marks restored data before a cloud serves it. Openings that ran when the backup was made have ended since, and it is
 * unknown how: they hold their numbers, their gateways may correct them, and they are never granted again. No boot of a
 * gateway is current: the backup does not know which one came last. Nobody is signed in, and no mailed link of a user works. The events of before the restore are forgotten.
 */
export async function markRestored(
  tx: Knex.Transaction,
  world: World,
  takenAt: string,
): Promise<{ readonly endedOpenings: number; readonly givenUpMails: number }> {
  const now = world.nowMs()
  const leaders: OpeningRow[] = await runningOpenings(tx).whereNull('joinedOpeningId')
  let endedOpenings = 0
  for (const row of leaders) {
    const ended = await endOpening(tx, {
      row,
      end: 'restored',
      ending: endingUnknown('outcome_unknown'),
      atMs: Math.max(now, Date.parse(row.calledAt)),
    })
    endedOpenings += ended.endedIds.length
  }
  const givenUpMails = await tx('outbox')
    .whereNull('sentAt')
    .whereNull('givenUpAt')
    .update({ givenUpAt: isoTime(now), lastError: maybeSent })
  await tx('gateways').update({ bootId: null })
  // Some of them had ended, and some of the links and codes were used or taken back.
  for (const table of ['sessions', 'userInvitations', 'passwordResets', 'enrolments'])
    await tx(table).delete()
  await forgetEvents(tx)
  await tx('restores').insert({ takenAt, restoredAt: isoTime(now), confirmedAt: null, holdsNumbers: true })
  return { endedOpenings, givenUpMails }
}

/** Moves the event numbers on, and ends what waits for a grant and may have got one; of one Space, or of all. */
export async function markEnds(tx: Db, world: World, spaceId?: string): Promise<readonly Ended[]> {
  const atMs = timeIn(tx, world)
  // First, so that the ends are told with the new numbers.
  await forgetEvents(tx, spaceId)
  const waiting = runningOpenings(tx).whereNull('joinedOpeningId').whereNull('gatewayId')
  const rows: OpeningRow[] = await (spaceId === undefined ? waiting : waiting.where({ spaceId }))
  const ended: Ended[] = []
  for (const row of rows) {
    const ending = endingUnknown('outcome_unknown')
    ended.push(await endOpening(tx, { row, end: 'restored', ending, atMs }))
  }
  return ended
}

/**
 * Marks data that has gone back while it was served: its database has lost the last commits. What waits for a grant may
 * have got one, so it ends as after a restore. What was granted before still gets its report. Nothing has to be confirmed,
 * unless an earlier restore still waits for that.
 */
export async function markWentBack(
  tx: Knex.Transaction,
  world: World,
  lostSince: string,
): Promise<readonly Ended[]> {
  const restoredAt = isoTime(timeIn(tx, world))
  const isUnconfirmed = (await lastRestore(tx))?.confirmedAt === null
  const ended = await markEnds(tx, world)
  const confirmedAt = isUnconfirmed ? null : restoredAt
  await tx('restores').insert({ takenAt: lostSince, restoredAt, confirmedAt, holdsNumbers: true })
  return ended
}

/** The operator lets guests and keys press again; undefined when no restore waits for that. */
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

/** From the start on restored data: for so long a call granted before it may run, or its gate may still move. */
export const numbersHeldMs = lockedAtMostMs + longestCoolDownMs
const askAgainS = 60

/** Why presses are refused after a restore, and after how many seconds another try makes sense. */
export interface Shut {
  /** `unconfirmed`: until the operator confirms the restore. `numbers_held`: a call of before may still run. */
  readonly why: 'unconfirmed' | 'numbers_held'
  readonly againInS: number
}

export interface Shutter {
  /** Undefined while presses are let through. */
  shut(): Promise<Shut | undefined>
  /** The data has gone back just now: presses are refused again. */
  shutAgain(): void
  /** Whether it has not opened since. A request may have been let through before, and press only now. */
  isShutAgain(): boolean
}

/** The shutter of a cloud that starts now. */
export function createShutter({ database, world }: { database: Database; world: World }): Shutter {
  // The monotonic clock: it stands still while the machine sleeps, which frees no number too early.
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
      // Nothing of what it was told meanwhile is overwritten.
      mine.isOpen = true
      return undefined
    },
    shutAgain() {
      since = { monotonicMs: world.monotonicMs(), isOpen: false, isAgain: true }
    },
    isShutAgain: () => since.isAgain && !since.isOpen,
  }
}

/** More would fill the disk. A gateway has only the reports that it could not send during an outage. */
export const mostStrayReports = 5_000

/**
 * Keeps a report that the data has no grant for: with its gateway, and so in its Space. The data may have gone back. A report
 * that tells of no call is kept only where it is known to have. False: it is refused.
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

/**
 * A gateway tells of a call for an opening that says that it got none: the record does not claim to know what happened any
 * more. One that still waits ends, and holds its number. What has joined another follows that.
 */
export async function doubt(tx: Db, world: World, row: OpeningRow): Promise<Ended | undefined> {
  if (row.joinedOpeningId !== null) return undefined
  const atMs = timeIn(tx, world)
  if (isUngranted(row))
    return endOpening(tx, { row, end: 'restored', ending: endingUnknown('outcome_unknown'), atMs })
  if (row.opened !== 'no') return undefined
  const joined = (await joinersOf(tx, { joinedOpeningId: row.id })).filter(joiner => !isRunning(joiner))
  const ids = [row, ...joined].map(({ id }) => id)
  const { status: _, ...unknown } = endingUnknown('outcome_unknown')
  await tx<OpeningRow>('openings').whereIn('id', ids).update(unknown)
  await recordSteps(tx, row, ['ended'], { atMs, joined })
  return undefined
}
