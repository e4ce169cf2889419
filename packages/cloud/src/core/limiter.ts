// Limits: a log of what each key did lately, so that it does at most so much in any window of time.

export interface Limit {
  readonly most: number
  readonly windowMs: number
}

/** Where a key stands. */
export interface LimitStatus {
  /** Whether this one is within the limit, and so counts. */
  readonly isTaken: boolean
  /** How many more are within the limit now. */
  readonly remaining: number
  /** Milliseconds until one more is free than now; 0 when nothing is used. */
  readonly nextMs: number
}

export interface Limiter {
  /** Counts one more for `key`, or refuses it. What is refused does not count, so a retry after `nextMs` is taken. */
  take(key: string, nowMs: number): LimitStatus
  /** Forgets the newest one of `key`: it was taken before anybody knew that it does not count. */
  giveBack(key: string): void
  /** Where `key` stands; counts nothing. */
  peek(key: string, nowMs: number): LimitStatus
}

/**
 * A limiter with a sliding log. A counter that is reset every minute would let twice the limit pass around the reset.
 * `nowMs` comes from a clock that never goes back. Keys that did nothing for a window are forgotten. Above
 * `mostKeys` keys, those that were quiet longest are forgotten.
 */
export function limiter({ most, windowMs }: Limit, mostKeys = 100_000): Limiter {
  // By the time of the last entry, the oldest first: a key that takes one moves to the end.
  const logs = new Map<string, number[]>()

  function forgetIdle(nowMs: number): void {
    for (const [key, log] of logs) {
      if (logs.size <= mostKeys && nowMs - (log.at(-1) ?? 0) < windowMs) return
      logs.delete(key)
    }
  }

  /** The times within the window that ends now: [at, at + windowMs) holds at most `most`. */
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
