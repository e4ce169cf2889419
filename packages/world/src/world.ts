// The system as a program's parameter: clocks, timers, randomness and the log.

/** A timer that fires once. */
export interface Timer {
  /** Stops the timer. Has no effect on one that has fired or was cancelled. */
  cancel(): void
}

export type LogFields = Record<string, unknown>

/** Structured log lines. Fields never contain a secret, a token, a link or a full phone number. */
export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

export interface World {
  /** Wall clock, milliseconds since the Unix epoch. It may jump either way: no safety decision on the Pi may depend on it. */
  nowMs(): number
  /** Milliseconds since an arbitrary start; never goes back; may stall while the machine is suspended. */
  monotonicMs(): number
  /** Milliseconds since the machine booted, suspended time included (Linux CLOCK_BOOTTIME). */
  sinceBootMs(): number
  /** Calls `then` once, after `delayMs` (at least 0) of monotonic time. */
  after(delayMs: number, then: () => void): Timer
  /**
   * Resolves in a later turn of the event loop, for one waiting caller after the other. Long work awaits it between its pieces, so
   * that everything else continues within a millisecond and a piece. `of` names the owner of the work: the waiting owners take
   * turns, so that a long list of one does not delay the others. Without an owner, a call waits for no other caller.
   */
  turn(of?: string): Promise<void>
  /** Bytes from a cryptographic source (a seeded one in tests). */
  randomBytes(count: number): Uint8Array
  readonly log: Log
}

/** A point in time from which an age is measured by the larger of two clocks, so that suspended time counts. */
export interface Moment {
  readonly monotonicMs: number
  readonly sinceBootMs: number
}

/** The present moment, for `ageMs`. */
export function moment(world: World): Moment {
  return { monotonicMs: world.monotonicMs(), sinceBootMs: world.sinceBootMs() }
}

/** Milliseconds from `since` until now, by the clock that moved more. */
export function ageMs(world: World, since: Moment): number {
  return Math.max(world.monotonicMs() - since.monotonicMs, world.sinceBootMs() - since.sinceBootMs)
}

/** Milliseconds from `since` until now, by the clock that moved less, so that nothing is released too early. */
export function leastAgeMs(world: World, since: Moment): number {
  return Math.min(world.monotonicMs() - since.monotonicMs, world.sinceBootMs() - since.sinceBootMs)
}

/** The wall clock in the API's format: ISO 8601, UTC, milliseconds, Z. */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString()
}
