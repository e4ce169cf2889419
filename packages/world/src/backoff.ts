// Backoff with full jitter: the delay before the next try, so that thousands of clients do not come back together.

import type { World } from './world.ts'

export interface Backoff {
  /** The delay before the next try, milliseconds, at least 1. The first call after a `reset` begins an outage. */
  nextMs(): number
  /** Notes a success. */
  reset(): void
}

/** The longest first delay after a lost connection: an outage of a second or two is over within five. */
const shortestWindowMs = 3_000
const longestWindowMs = 20_000

/**
 * Waits for a random time within a window as long as the outage so far: 3 s at least, 20 s at most. So a try comes at the latest
 * when the outage has doubled, and the tries of many clients are spread evenly.
 */
export function backoff(world: World): Backoff {
  let sinceMs: number | undefined
  return {
    nextMs() {
      const nowMs = world.monotonicMs()
      sinceMs ??= nowMs
      const windowMs = Math.min(longestWindowMs, Math.max(shortestWindowMs, nowMs - sinceMs))
      const share = Buffer.from(world.randomBytes(4)).readUInt32BE() / 2 ** 32
      return 1 + Math.floor(share * windowMs)
    },
    reset() {
      sinceMs = undefined
    },
  }
}
