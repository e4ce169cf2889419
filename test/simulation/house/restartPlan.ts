// Plans faults of the cloud's database and restarts: a lock of another program, and a restart while a gate still rings.

import { type Draw, pick } from './draw.ts'
import type { HouseGate } from './furnish.ts'
import type { Plan } from './plan.ts'

type Pressing = Plan['actions'][number] & { readonly kind: 'press' }

/** A gate that rings until its caller hangs up. */
export const ringingGate: HouseGate = { farEnd: 'ring_forever', profile: { mode: 'unverified' } }

/**
 * The cloud restarts while the call of one gateway still rings at such a gate, and somebody presses again before the call
 * is over. The other gateway must not call. This needs two gateways. In half of the cases the wall clock is set too.
 */
export function restartInCallOf(draw: Draw, gate: number): Plan['actions'] {
  const atMs = draw.randomInt(0, 40_000)
  const startMs = atMs + draw.randomInt(4_000, 9_000)
  const byMs = draw.randomInt(80_000, 86_400_000) * (draw.random() < 0.7 ? 1 : -1)
  const isSet = draw.random() < 0.5
  const press = { kind: 'press', gate, guest: undefined } as const
  return [
    { ...press, atMs },
    { kind: 'kill cloud', atMs: startMs - draw.randomInt(100, 1_500), steps: 0 },
    ...(isSet ? [{ kind: 'set cloud clock', atMs: startMs - 1, byMs } as const] : []),
    { kind: 'start cloud', atMs: startMs },
    { ...press, atMs: startMs + draw.randomInt(500, 15_000) },
    { ...press, atMs: startMs + draw.randomInt(12_000, 27_000) },
    { ...press, atMs: startMs + draw.randomInt(15_000, 27_000) },
  ]
}

/** Another program holds the write lock for up to 8 s, as a backup or an SQL shell does. */
export function lockOf(draw: Draw, presses: readonly Pressing[]): Plan['actions'] {
  const { atMs } = pick(draw, presses)
  const fromMs = atMs + draw.randomInt(-1_000, 8_000)
  // Half of them are shorter than the cloud waits for the lock, half are longer.
  const forMs = draw.random() < 0.5 ? draw.randomInt(100, 2_000) : draw.randomInt(2_000, 8_000)
  return [
    { kind: 'lock database', atMs: fromMs },
    { kind: 'release database', atMs: fromMs + forMs },
  ]
}
