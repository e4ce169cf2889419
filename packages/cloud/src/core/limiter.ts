// A rate limiter: a log of the recent uses of each key, so that no window of time has more uses than the limit.

export interface Limit {
  readonly most: number
  readonly windowMs: number
}

/** The status of a key. */
export interface LimitStatus {
  /** Whether this use is within the limit, and so counts. */
  readonly isTaken: boolean
  /** How many more uses are within the limit now. */
  readonly remaining: number
  /** Milliseconds until one more use is free than now; 0 when nothing is used. */
  readonly nextMs: number
}

export interface Limiter {
  /** Counts one use of `key`, or refuses it. A refused use does not count, so a retry after `nextMs` is allowed. */
  take(key: string, nowMs: number): LimitStatus
  /** Removes the newest use of `key`, because it turned out not to count. */
  giveBack(key: string): void
  /** The status of `key`; counts nothing. */
  peek(key: string, nowMs: number): LimitStatus
}

/**
 * A limiter with a sliding log. A counter that is reset every minute would allow twice the limit around the reset. `nowMs` comes
 * from a clock that never goes back. A key without uses for a whole window is forgotten. Above `mostKeys` keys, those that were
 * quiet longest are forgotten.
 */
export function limiter({ most, windowMs }: Limit, mostKeys = 100_000): Limiter {
  // Sorted by the time of the last use, oldest first: a new use moves its key to the end.
  const logs = new Map<string, number[]>()

  function forgetIdle(nowMs: number): void {
    for (const [key, log] of logs) {
      if (logs.size <= mostKeys && nowMs - (log.at(-1) ?? 0) < windowMs) return
      logs.delete(key)
    }
  }

  /** The uses within the window that ends now: [at, at + windowMs) holds at most `most`. */
  function lately(key: string, nowMs: number): number[] {
    const log = logs.get(key) ?? []
    const expired = log.findIndex(at => nowMs - at < windowMs)
    if (expired !== 0) log.splice(0, expired < 0 ? log.length : expired)
    return log
  }

  function status(log: readonly number[], isTaken: boolean, nowMs: number): LimitStatus {
    const [oldest] = log
    return {
      isTaken,
      remaining: most - log.length,
      nextMs: oldest === undefined ? 0 : oldest + windowMs - nowMs,
    }
  }

  return {
    take(key, nowMs) {
      const log = lately(key, nowMs)
      if (log.length >= most) return status(log, false, nowMs)
      log.push(nowMs)
      logs.delete(key)
      logs.set(key, log)
      forgetIdle(nowMs)
      return status(log, true, nowMs)
    },
    giveBack(key) {
      logs.get(key)?.pop()
    },
    peek(key, nowMs) {
      const log = lately(key, nowMs)
      return status(log, log.length < most, nowMs)
    },
  }
}
