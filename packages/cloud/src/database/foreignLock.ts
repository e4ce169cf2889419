// Waits for a write lock that another program holds: with timers, so that all other work continues.

import type { World } from '@callgate/world/world'
import { codeOf } from './databaseCodes.ts'

/** How long a write waits for a lock that another program holds. */
export interface LockPatience {
  readonly world: Pick<World, 'after' | 'monotonicMs'>
  /** Milliseconds from the first attempt. */
  readonly withinMs: number
  /** Called once, when a write has to wait for the first time. */
  readonly onWait?: () => void
}

/** More waiting writes than this are refused at once: the lock has been held for long, and most would wait in vain. */
const mostWaiting = 100
const firstPauseMs = 5
const longestPauseMs = 100

/** Begins a transaction and does its work; calls `hasBegun` when it has begun. */
type Transaction<T> = (hasBegun: () => void) => Promise<T>

/**
 * Runs transactions. Each is tried again while another program's lock prevents its begin. When the patience is over or too many
 * wait, it rejects with the error of the last attempt. A transaction that has begun is never run twice.
 */
export function patientTransactions(
  { onWait, withinMs, world }: LockPatience,
  isLocked: (error: unknown) => boolean,
): <T>(transaction: Transaction<T>) => Promise<T> {
  let waiting = 0
  let hasTold = false
  const pause = (ms: number) => new Promise<void>(resolve => world.after(ms, resolve))

  /** The outcome of the transaction, or the error that prevented its begin. */
  async function attempt<T>(transaction: Transaction<T>) {
    let hasBegun = false
    try {
      const value = await transaction(() => {
        hasBegun = true
      })
      return { value }
    } catch (error) {
      if (hasBegun || !isLocked(error)) throw error
      return { locked: error }
    }
  }

  async function retry<T>(transaction: Transaction<T>, first: unknown): Promise<T> {
    let error = first
    const sinceMs = world.monotonicMs()
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
      const leftMs = withinMs - (world.monotonicMs() - sinceMs)
      if (leftMs <= 0) throw error
      await pause(Math.min(pauseMs, leftMs))
      const outcome = await attempt(transaction)
      if ('value' in outcome) return outcome.value
      error = outcome.locked
    }
  }

  return async transaction => {
    const outcome = await attempt(transaction)
    if ('value' in outcome) return outcome.value
    if (waiting >= mostWaiting) throw outcome.locked
    if (!hasTold) onWait?.()
    hasTold = true
    waiting++
    try {
      return await retry(transaction, outcome.locked)
    } finally {
      waiting--
    }
  }
}

/** Whether another connection held the lock. */
export const isLocked = (error: unknown) => /^SQLITE_BUSY/.test(codeOf(error))
