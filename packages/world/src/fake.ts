// A seeded world for tests: time moves only when a test moves it, and every run of a seed is the same.

import { createHash } from 'node:crypto'
import { seededRandom } from './random.ts'
import { fairTurns } from './turns.ts'
import type { Log, LogFields, Timer, World } from './world.ts'

export interface LogLine {
  readonly atMs: number
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  readonly fields: LogFields
}

export interface FakeWorld extends World {
  readonly seed: number
  /** All log lines, oldest first. */
  readonly lines: readonly LogLine[]
  /** A uniform number in [0, 1) from the seed. It is independent of `randomBytes`, so an additional draw changes no id. */
  random(): number
  /** A whole number from `low` to `high`, both included. */
  randomInt(low: number, high: number): number
  /** When the next timer is due, in monotonic milliseconds; undefined when none is set. */
  nextTimerMs(): number | undefined
  /** Moves to the next timer and fires it; false when none is set. */
  fireNext(): boolean
  /** Fires every timer that is due within `durationMs`, in order; promises settle between two. Then the time is at the end. */
  advance(durationMs: number): Promise<void>
  /** Moves time until `fact` holds; throws after `withinMs` of fake time. */
  until(fact: () => boolean, withinMs?: number): Promise<void>
  /** Lets time pass in which no timer fires, as on a machine that is busy: those that were due fire late. */
  stall(durationMs: number): void
  /** Moves the wall clock alone, as NTP or a dead battery does. */
  jumpWallClock(byMs: number): void
  /**
   * Stops time while `isBusy`, for work of another process such as a database server. After `longestMs` of real time it continues,
   * because work that waits for the time itself would never end.
   */
  waitFor(isBusy: () => boolean, longestMs?: number): void
}

/** The default, in milliseconds: longer than a database server lets a statement wait for a lock, on a busy machine, too. */
const usuallyLongestMs = 30_000

interface Pending {
  readonly atMs: number
  readonly then: () => void
}

/**
 * Rounds a delay up, so that it is never lost in the rounding of a later time; otherwise the rest of a delay would never pass.
 */
const wholeSteps = (delayMs: number) => Math.ceil(Math.max(0, delayMs) * 1_024) / 1_024

/** The timers of a world, and the time that has passed in it. */
class FakeTimers {
  elapsedMs = 0
  /** The next timer is the last item, which is quick to remove. */
  readonly #pending: Pending[] = []

  after(delayMs: number, then: () => void): Timer {
    const pending = this.#pending
    const timer: Pending = { atMs: this.elapsedMs + wholeSteps(delayMs), then }
    const later = pending.findLastIndex(({ atMs }) => atMs > timer.atMs)
    pending.splice(later + 1, 0, timer)
    return {
      cancel() {
        const place = pending.indexOf(timer)
        if (place >= 0) pending.splice(place, 1)
      },
    }
  }

  nextMs(): number | undefined {
    return this.#pending.at(-1)?.atMs
  }

  fireNext(): boolean {
    const timer = this.#pending.pop()
    if (!timer) return false
    this.elapsedMs = Math.max(this.elapsedMs, timer.atMs)
    timer.then()
    return true
  }
}

/**
 * Gives promises, streams and answers of the thread pool a few turns of the event loop. Work of a real thread (a file's fsync)
 * may take longer, so wait for its own result.
 */
export async function settle(turns = 4): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise<void>(resolve => setImmediate(resolve))
}

/** Bytes that depend on the seed and on the number of blocks drawn before. */
function seededBytes(seed: number): World['randomBytes'] {
  let draws = 0
  return count => {
    const bytes = new Uint8Array(count)
    for (let filled = 0; filled < count; filled += 32) {
      const block = createHash('sha256').update(`${seed}:${draws++}`).digest()
      bytes.set(block.subarray(0, Math.min(32, count - filled)), filled)
    }
    return bytes
  }
}

/** A log that appends each line to `lines`. */
function keptLog(lines: LogLine[], elapsedMs: () => number): Log {
  const write =
    (level: LogLine['level']) =>
    (message: string, fields: LogFields = {}) => {
      lines.push({ atMs: elapsedMs(), level, message, fields })
    }
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}

/**
 * The clocks that nobody sets have fractions of a millisecond, as on a real machine; the wall clock has none. They run a
 * millionth too fast, so that a difference of two times has a fraction, too, and a timer is a little late but never early.
 */
const ownTime = (elapsedMs: number) => elapsedMs * (1 + 2 ** -20)
const fractionOf = (seed: number) => (2 * (Math.abs(seed) % 2_048) + 1) / 4_096
const startedAfterBootMs = 2 ** -13

/** The start of every fake world's wall clock. */
const startMs = Date.UTC(2026, 0, 5, 8)

/**
 * A world in which everything depends on `seed` only. The wall clock starts at 2026-01-05T08:00:00Z. Between two timers, the
 * event loop gets `turns`; one is enough where nothing waits for a thread, a socket or an immediate.
 */
export function fakeWorld(seed = 1, turns = 4): FakeWorld {
  const random = seededRandom(seed)
  const lines: LogLine[] = []
  const timers = new FakeTimers()
  let wallOffsetMs = 0
  let isBusy = () => false
  let longestBusyMs = usuallyLongestMs
  const monotonicMs = () => ownTime(timers.elapsedMs) + fractionOf(seed)
  const fairTurn = fairTurns(setImmediate)
  /** How many callers wait for their turn of the event loop, in which no fake time passes. */
  let awaitedTurns = 0
  const rest = async () => {
    await settle(turns)
    const sinceMs = performance.now()
    while ((awaitedTurns > 0 || isBusy()) && performance.now() - sinceMs < longestBusyMs) await settle(turns)
  }

  return {
    seed,
    lines,
    log: keptLog(lines, monotonicMs),
    random,
    nowMs: () => Math.floor(startMs + timers.elapsedMs + wallOffsetMs),
    monotonicMs,
    sinceBootMs: () => monotonicMs() + startedAfterBootMs,
    after: (delayMs, then) => timers.after(delayMs, then),
    async turn(of) {
      awaitedTurns += 1
      await fairTurn(of)
      awaitedTurns -= 1
    },
    randomBytes: seededBytes(seed),
    randomInt: (low, high) => low + Math.floor(random() * (high - low + 1)),
    nextTimerMs() {
      const atMs = timers.nextMs()
      return atMs === undefined ? undefined : ownTime(atMs) + fractionOf(seed)
    },
    fireNext: () => timers.fireNext(),
    async advance(durationMs) {
      const endMs = timers.elapsedMs + durationMs
      await rest()
      for (let atMs = timers.nextMs(); atMs !== undefined && atMs <= endMs; atMs = timers.nextMs()) {
        timers.fireNext()
        await rest()
      }
      timers.elapsedMs = endMs
    },
    async until(fact, withinMs = 120_000) {
      const endMs = timers.elapsedMs + withinMs
      await rest()
      while (!fact()) {
        const atMs = timers.nextMs()
        if (atMs === undefined || atMs > endMs)
          throw new Error(`seed ${seed}: the fact did not come true within ${withinMs} ms of fake time`)
        timers.fireNext()
        await rest()
      }
    },
    stall(durationMs) {
      timers.elapsedMs += Math.max(0, durationMs)
    },
    jumpWallClock(byMs) {
      wallOffsetMs += byMs
    },
    waitFor(busy, longestMs = usuallyLongestMs) {
      isBusy = busy
      longestBusyMs = longestMs
    },
  }
}
