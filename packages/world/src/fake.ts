// A seeded world for tests: time moves only when told to, and every run of a seed is the same run.

import { createHash } from 'node:crypto'
import { fairTurns } from './turns.ts'
import type { Log, LogFields, World } from './world.ts'

export interface LogLine {
  readonly atMs: number
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  readonly fields: LogFields
}

export interface FakeWorld extends World {
  readonly seed: number
  /** Everything that was logged, oldest first. */
  readonly lines: readonly LogLine[]
  /** A uniform number in [0, 1) from the seed; apart from `randomBytes`, so that adding a draw here moves no id. */
  random(): number
  /** A whole number from `low` to `high`, both included. */
  randomInt(low: number, high: number): number
  /** When the next timer is due, in monotonic milliseconds; undefined when none is set. */
  nextTimerMs(): number | undefined
  /** Moves to the next timer and fires it; false when none is set. */
  fireNext(): boolean
  /** Fires every timer due within `durationMs`, in order, letting promises settle between two, then stands there. */
  advance(durationMs: number): Promise<void>
  /** Moves time until `fact` holds; throws after `withinMs` of fake time. */
  until(fact: () => boolean, withinMs?: number): Promise<void>
  /** Moves the wall clock alone, as NTP or a dead battery does. */
  jumpWallClock(byMs: number): void
}

interface Pending {
  readonly atMs: number
  readonly then: () => void
}

/** mulberry32: a small generator with a full 2^32 period, enough to draw test schedules. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Lets promises, streams and the thread pool's answers run until nothing has happened for a few turns of the event
 * loop. What waits for a real thread (a file's fsync) has to be waited for by its own fact.
 */
export async function settle(turns = 4): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise<void>(resolve => setImmediate(resolve))
}

/** When every fake world's wall clock begins. */
const startMs = Date.UTC(2026, 0, 5, 8)

/**
 * A world in which everything follows from `seed`. The wall clock starts at 2026-01-05T08:00:00Z. Between two timers
 * the event loop is given `turns`; one is enough where nothing waits for a thread, a socket or an immediate.
 */
export function fakeWorld(seed = 1, turns = 4): FakeWorld {
  const random = seededRandom(seed)
  const lines: LogLine[] = []
  /** The next one comes last, where it is quick to take away. */
  const pending: Pending[] = []
  let elapsedMs = 0
  let wallOffsetMs = 0
  let draws = 0
  const write =
    (level: LogLine['level']) =>
    (message: string, fields: LogFields = {}) => {
      lines.push({ atMs: elapsedMs, level, message, fields })
    }
  const log: Log = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  }

  const world: FakeWorld = {
    seed,
    lines,
    log,
    random,
    nowMs: () => startMs + elapsedMs + wallOffsetMs,
    monotonicMs: () => elapsedMs,
    sinceBootMs: () => elapsedMs,
    after(delayMs, then) {
      const timer: Pending = { atMs: elapsedMs + Math.max(0, delayMs), then }
      const later = pending.findLastIndex(({ atMs }) => atMs > timer.atMs)
      pending.splice(later + 1, 0, timer)
      return {
        cancel() {
          const place = pending.indexOf(timer)
          if (place >= 0) pending.splice(place, 1)
        },
      }
    },
    turn: fairTurns(setImmediate),
    randomBytes(count) {
      const bytes = new Uint8Array(count)
      for (let filled = 0; filled < count; filled += 32) {
        const block = createHash('sha256').update(`${seed}:${draws++}`).digest()
        bytes.set(block.subarray(0, Math.min(32, count - filled)), filled)
      }
      return bytes
    },
    randomInt: (low, high) => low + Math.floor(random() * (high - low + 1)),
    nextTimerMs: () => pending.at(-1)?.atMs,
    fireNext() {
      const timer = pending.pop()
      if (!timer) return false
      elapsedMs = Math.max(elapsedMs, timer.atMs)
      timer.then()
      return true
    },
    async advance(durationMs) {
      const endMs = elapsedMs + durationMs
      await settle(turns)
      for (let atMs = world.nextTimerMs(); atMs !== undefined && atMs <= endMs; atMs = world.nextTimerMs()) {
        world.fireNext()
        await settle(turns)
      }
      elapsedMs = endMs
    },
    async until(fact, withinMs = 120_000) {
      const endMs = elapsedMs + withinMs
      await settle(turns)
      while (!fact()) {
        const atMs = world.nextTimerMs()
        if (atMs === undefined || atMs > endMs)
          throw new Error(`seed ${seed}: the fact did not come true within ${withinMs} ms of fake time`)
        world.fireNext()
        await settle(turns)
      }
    },
    jumpWallClock(byMs) {
      wallOffsetMs += byMs
    },
  }
  return world
}
