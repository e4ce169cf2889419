// The clock of a database server: it can be set, and can run too fast or too slow.

import type { FakeWorld } from '@callgate/world/fake'
import type { Span } from '../../checker/facts.ts'

/** A time in which a clock lost this share of itself. */
export interface SlowSpan extends Span {
  readonly share: number
}

export interface ServerClock {
  /** Milliseconds since the epoch. */
  nowMs(): number
  set(byMs: number): void
  /** From now on it runs at this rate; 1: the right one. */
  setRate(rate: number): void
  /** When it ran too slow. */
  slow(): readonly SlowSpan[]
}

export function createServerClock(world: FakeWorld): ServerClock {
  let offMs = 0
  const slow: SlowSpan[] = []
  let rated = { rate: 1, sinceMs: 0 }
  const driftMs = () => (world.monotonicMs() - rated.sinceMs) * (rated.rate - 1)
  return {
    nowMs: () => world.nowMs() + offMs + driftMs(),
    set(byMs) {
      offMs += byMs
      const met = [`database clock ${byMs > 0 ? 'forward' : 'back'}`]
      world.log.info('its clock is set', { who: 'database', met, byMs })
    },
    setRate(rate) {
      offMs += driftMs()
      if (rated.rate < 1)
        slow.push({ fromMs: rated.sinceMs, toMs: world.monotonicMs(), share: 1 - rated.rate })
      rated = { rate, sinceMs: world.monotonicMs() }
    },
    slow: () => slow,
  }
}
