// What a program may not decide for itself: now, monotonic time, timers, randomness and log.

/** A timer that fires once. */
export interface Timer {
  /** Stops it; a timer that has fired or was cancelled is left as it is. */
  cancel(): void
}

export type LogFields = Record<string, unknown>

/** Structured log lines. Fields never hold a secret, a token, a link or a full phone number. */
export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

export interface World {
  /** Wall clock, milliseconds since the Unix epoch. It may jump either way: never decide safety by it on the Pi. */
  nowMs(): number
  /** Milliseconds since an arbitrary start; never goes back; may stand still while the machine is suspended. */
  monotonicMs(): number
  /** Milliseconds since the machine booted, suspended time included (Linux CLOCK_BOOTTIME). */
  sinceBootMs(): number
  /** Calls `then` once, after `delayMs` (at least 0) of monotonic time. */
  after(delayMs: number, then: () => void): Timer
  /**
   * Resolves in a later turn of the event loop; of all that waits, one thing in each turn. Long work that waits for it
   * between its pieces lets everything else go on. `of` names whose work it is: those who wait take turns, so that much
   * work of one does not hold up the others.
   */
  turn(of: string): Promise<void>
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

/** Milliseconds from `since` until now, by whichever clock moved more. */
export function ageMs(world: World, since: Moment): number {
  return Math.max(world.monotonicMs() - since.monotonicMs, world.sinceBootMs() - since.sinceBootMs)
}

/** Milliseconds from `since` until now, by whichever clock moved less: what is held on to is not let go too early. */
export function leastAgeMs(world: World, since: Moment): number {
  return Math.min(world.monotonicMs() - since.monotonicMs, world.sinceBootMs() - since.sinceBootMs)
}

/** The wall clock as the API writes it: ISO 8601, UTC, milliseconds, Z. */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString()
}
