// Backoff with full jitter: how long to wait before the next try, so that thousands that wait do not come back together.

import type { World } from './world.ts'

export interface Backoff {
  /** How long to wait before the next try, milliseconds, at least 1. The first call after a `reset` begins an outage. */
  nextMs(): number
  /** It has worked. */
  reset(): void
}

/** Whoever loses a connection waits this long at first, at most: an outage of a second or two is over in five. */
const shortestWindowMs = 3_000
const longestWindowMs = 20_000

/**
 * Waits any time within a window as long as the outage so far: 3 s at least, 20 s at most. So a try comes at the latest
 * when the outage has doubled, and the tries of many are spread evenly.
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
