// Spans of the simulation's time in which a condition held.

import type { FakeWorld } from '@callgate/world/fake'
import type { Span } from '../../checker/facts.ts'

/** Records the beginning and the end of each kind of condition. */
export function createSpanLog<Kind extends string>(world: FakeWorld) {
  const ended: Span[] = []
  const since = new Map<Kind, number>()
  return {
    ended,
    begin(kind: Kind) {
      if (!since.has(kind)) since.set(kind, world.monotonicMs())
    },
    /** The span ends now, or `lateMs` from now. Does nothing when none has begun. */
    end(kind: Kind, lateMs = 0) {
      const fromMs = since.get(kind)
      if (fromMs !== undefined) ended.push({ fromMs, toMs: world.monotonicMs() + lateMs })
      since.delete(kind)
    },
    sinceMs: (kind: Kind) => since.get(kind),
    /** Open spans end now. */
    all: (): readonly Span[] => [
      ...ended,
      ...[...since.values()].map(fromMs => ({ fromMs, toMs: world.monotonicMs() })),
    ],
  }
}

/** Whether one of the spans contains this time. */
export const meets = (spans: readonly Span[], fromMs: number, toMs: number): boolean =>
  spans.some(span => span.fromMs <= toMs && fromMs <= span.toMs)
