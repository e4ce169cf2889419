// A slow database: each statement of every cloud takes a while.

import type { FakeWorld } from '@callgate/world/fake'
import type { Span } from '../../checker/facts.ts'
import { createSpanLog } from './spans.ts'

export interface Slowness {
  /** From now on each statement takes up to this long, in milliseconds; 0: no time. */
  set(byMs: number): void
  isOn(): boolean
  /** The time of one statement now. */
  pause(): Promise<void>
  /** When statements were so slow that no cloud could do its work in time. */
  spans(): readonly Span[]
  /** How long a transaction of some statements took at most while they were slow and not so slow, in milliseconds. */
  transactionMs(): number
}

/** With a delay up to this one all promises hold as with a fast database, in milliseconds. */
const harmlessMs = 20

/** An end is written by fewer statements: those of its beginning, of the row and its joiners, of the events, and the commit. */
const statements = 10

export function createSlowness(world: FakeWorld): Slowness {
  const log = createSpanLog<'slow'>(world)
  let byMs = 0
  let mostMs = 0
  return {
    set(nextMs) {
      // A statement that waits now continues to wait.
      if (nextMs > harmlessMs) log.begin('slow')
      else log.end('slow', byMs)
      byMs = nextMs
      mostMs = Math.max(mostMs, Math.min(byMs, harmlessMs))
    },
    isOn: () => byMs > 0,
    pause() {
      const met = [byMs > harmlessMs ? 'database very slow' : 'database slow']
      world.log.debug('takes its time', { who: 'database', met })
      return new Promise(resolve => world.after(world.randomInt(0, byMs), resolve))
    },
    spans: log.all,
    transactionMs: () => statements * mostMs,
  }
}
