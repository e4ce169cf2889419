// Waits for a write lock that another program holds: with timers, so that all other work continues.

import type { World } from '@callgate/world/world'
import { codeOf } from './databaseCodes.ts'

/** How long a write waits for a lock that another program holds. */
export interface LockPatience {
  readonly world: Pick<World, 'after' | 'monotonicMs' | 'turn'>
  /** Milliseconds from the first attempt to begin. */
  readonly withinMs: number
  /** Called once, when a write has to wait for the first time. */
  readonly onWait?: () => void
}

/** More waiting writes than this are refused: the lock has been held for long, and most would wait in vain. */
const mostWaiting = 100
const firstPauseMs = 5
const longestPauseMs = 100

/** A write that waits. */
export interface Refusable {
  fail(error: unknown): void
  answer(): void
}

/** The waits of writes that cannot begin, because another program holds the lock. */
export class LockWaits {
  readonly #patience: LockPatience
  /** When each waiting write first met the lock. */
  readonly #sinceMs = new WeakMap<Refusable, number>()
  #pauseMs = firstPauseMs
  #hasTold = false

  constructor(patience: LockPatience) {
    this.#patience = patience
  }

  /** The lock is free. */
  free(): void {
    this.#pauseMs = firstPauseMs
  }

  /**
   * Removes from `queue` the writes whose patience is over, and those behind too many others, and refuses them with the error of
   * the begin. Resolves when the others may try again.
   */
  async pause(queue: Refusable[], error: unknown): Promise<void> {
    const { onWait, withinMs, world } = this.#patience
    const nowMs = world.monotonicMs()
    if (!this.#hasTold) onWait?.()
    this.#hasTold = true
    for (const write of queue) if (!this.#sinceMs.has(write)) this.#sinceMs.set(write, nowMs)
    const leftOf = (write: Refusable) => (this.#sinceMs.get(write) ?? nowMs) + withinMs - nowMs
    // The oldest come first, and so do those whose patience is over.
    const patient = queue.findIndex(write => leftOf(write) > 0)
    const refused = queue.splice(0, patient < 0 ? queue.length : patient)
    for (const write of [...refused, ...queue.splice(mostWaiting)]) {
      write.fail(error)
      write.answer()
    }
    const [oldest] = queue
    if (!oldest) return
    const pauseMs = Math.min(this.#pauseMs, leftOf(oldest))
    this.#pauseMs = Math.min(longestPauseMs, this.#pauseMs * 2)
    await new Promise<void>(resolve => world.after(pauseMs, resolve))
  }
}

/** Whether another connection held the lock. */
export const isLocked = (error: unknown) => /^SQLITE_BUSY/.test(codeOf(error))
