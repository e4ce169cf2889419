// Collects changes, so that the events of one moment cause one reading.

import { after, nowMs } from '../clock.ts'
import type { Touched } from './touched.ts'

export type Changed = readonly Touched[] | 'all'

const soonMs = 150

/**
 * The pause after a number of requests, in milliseconds. Of the 400 reads that a user has in a minute, a busy Space takes at most
 * 60, however much is shown.
 */
export const sparing = (requests: number) => Math.max(3_000, requests * 1_000)

/** Calls `read` soon after `add`, and waits before it calls it again. `read` returns the number of requests that it sent. */
export function collector(read: (changed: Changed) => number, waitMs: (requests: number) => number) {
  let changed: Changed = []
  let readyAtMs = Number.NEGATIVE_INFINITY
  let cancel: (() => void) | undefined
  function flush() {
    const now = changed
    changed = []
    cancel = undefined
    readyAtMs = nowMs() + waitMs(read(now))
  }
  return {
    add(more: Changed) {
      changed = more === 'all' || changed === 'all' ? 'all' : [...changed, ...more]
      cancel ??= after(Math.max(soonMs, readyAtMs - nowMs()), flush)
    },
    stop: () => cancel?.(),
  }
}
