// Plans a lock-down of all gates while a press waits for its call or runs, with presses during it and after its end.

import type { Draw } from './draw.ts'
import type { Plan } from './plan.ts'

/** An admin locks all gates around a press, and ends that later. A cloud may be dead then, so the end is tried twice. */
export function lockDownOf(draw: Draw, gates: number): Plan['actions'] {
  const place = () => draw.randomInt(0, gates - 1)
  const press = { kind: 'press', guest: undefined } as const
  const atMs = draw.randomInt(0, 45_000)
  // Before the claim, during the exchange, or in the call.
  const lockedMs = atMs + draw.randomInt(0, draw.random() < 0.7 ? 300 : 5_000)
  const endMs = lockedMs + draw.randomInt(2_000, 15_000)
  return [
    { ...press, atMs, gate: place() },
    { kind: 'lock down', atMs: lockedMs },
    { ...press, atMs: lockedMs + draw.randomInt(0, 2_000), gate: place() },
    { kind: 'end lock-down', atMs: endMs },
    { ...press, atMs: endMs + draw.randomInt(0, 500), gate: place() },
    { kind: 'end lock-down', atMs: endMs + 20_000 },
  ]
}
