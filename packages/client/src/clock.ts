// Time and randomness: the client's only file that uses a clock, a timer or a random source.

/** What the client takes from its surroundings. Tests pass their own. */
export interface Clock {
  /** Milliseconds since an arbitrary start; never goes back. */
  nowMs(): number
  /** Resolves after `delayMs`, or when `signal` is aborted. */
  pause(delayMs: number, signal: AbortSignal | undefined): Promise<void>
  /** Calls `then` once after `delayMs`. The function that it answers cancels that. */
  limit(delayMs: number, then: () => void): () => void
  /** From 0 up to, but not including, 1. */
  random(): number
  /** A new Idempotency-Key. */
  newKey(): string
}

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
