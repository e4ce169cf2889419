// Waits for other processes: the demo's only file that reads a clock or sets a timer.

import { setTimeout as pause } from 'node:timers/promises'

/** Waits `durationMs`, or until `signal` is aborted. */
export async function wait(durationMs: number, signal: AbortSignal): Promise<void> {
  // Only the signal can make it fail.
  await pause(durationMs, undefined, { signal }).catch(() => {})
}

/** Calls `fact` every `everyMs` until it answers one; undefined after `withinMs`, or when `signal` is aborted. */
export async function until<T>(
  fact: () => Promise<T | undefined>,
  options: { withinMs: number; everyMs: number; signal: AbortSignal },
): Promise<T | undefined> {
  const endMs = performance.now() + options.withinMs
  while (!options.signal.aborted) {
    const found = await fact()
    if (found !== undefined) return found
    if (performance.now() >= endMs) return undefined
    await wait(options.everyMs, options.signal)
  }
  return undefined
}

/** A signal that is aborted with `signal`, or after `durationMs`. */
export function within(durationMs: number, signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(durationMs)])
}

/** Seconds since `sinceMs`, which is an earlier value of `stopwatchMs`, with one decimal. */
export function secondsSince(sinceMs: number): string {
  return ((performance.now() - sinceMs) / 1000).toFixed(1)
}

export function stopwatchMs(): number {
  return performance.now()
}
