// Time and chance: the client's only file that meets a clock, a timer or randomness.

/** What the client takes from its surroundings. Tests give one of their own. */
export interface Clock {
  /** Milliseconds since an arbitrary start; never goes back. */
  nowMs(): number
  /** Resolves after `delayMs`, or as soon as `signal` is aborted. */
  pause(delayMs: number, signal: AbortSignal | undefined): Promise<void>
  /** Calls `then` once after `delayMs`, unless what it answers with is called before. */
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
