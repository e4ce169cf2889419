// Time and randomness: the client's only file that uses a clock, a timer or a random source.

import type { Clock } from './types.ts'

export const realClock: Clock = {
  nowMs: () => performance.now(),
  pause: (delayMs, signal) =>
    new Promise(resolve => {
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, signal?.aborted ? 0 : delayMs)
      signal?.addEventListener('abort', end)
    }),
  limit(delayMs, then) {
    const timer = setTimeout(then, delayMs)
    return () => clearTimeout(timer)
  },
  random: () => Math.random(),
  newKey: () => crypto.randomUUID(),
}

/** The wall clock, milliseconds since the epoch. */
export const wallMs = (): number => Date.now()
