// Plans faults of clocks: machines that stall, and a cloud whose wall clock is set.

import { type Draw, pick } from './draw.ts'
import type { HouseGate } from './furnish.ts'
import type { Plan } from './plan.ts'

type Pressing = Plan['actions'][number] & { readonly kind: 'press' }

/**
 * The machine of one side stalls around some presses, for seconds or minutes. Only one side stalls, because nobody can notice a
 * late call when both do.
 */
export function statusOf(draw: Draw, presses: readonly Pressing[], gateways: number): Plan['actions'] {
  const gateway = draw.random() < 0.3 ? draw.randomInt(0, gateways - 1) : undefined
  return Array.from({ length: draw.randomInt(1, 2) }, () => pick(draw, presses)).flatMap(press => {
    // The stall begins before the press, so that the machine may stop at any step of the press itself.
    const [leadMs, steps] =
      draw.random() < 0.7 ? [-1, draw.randomInt(0, 12)] : [draw.randomInt(0, 4_000), draw.randomInt(0, 40)]
    const atMs = press.atMs + leadMs
    const forMs = draw.random() < 0.5 ? draw.randomInt(200, 20_000) : draw.randomInt(20_000, 120_000)
    const wakesMs = atMs + forMs
    const suspended = draw.random() < 0.25
    return [
      { kind: 'stall', atMs, gateway, steps },
      { kind: 'wake', atMs: wakesMs, gateway, suspended },
      { ...press, atMs: wakesMs + draw.randomInt(0, 12_000) },
    ]
  })
}

/** The cloud's wall clock is set to another time, mostly while the cloud is down, and somebody presses again. */
export function clockSetOf(draw: Draw, presses: readonly Pressing[]): Plan['actions'] {
  const press = pick(draw, presses)
  const wayMs =
    draw.random() < 0.5 ? draw.randomInt(1_000, 120_000) : draw.randomInt(120_000, 30 * 86_400_000)
  const byMs = draw.random() < 0.5 ? wayMs : -wayMs
  const atMs = press.atMs + draw.randomInt(0, 15_000)
  if (draw.random() < 0.3) return [{ kind: 'set cloud clock', atMs, byMs }]
  const startMs = atMs + draw.randomInt(100, 10_000)
  return [
    { kind: 'kill cloud', atMs, steps: 0 },
    { kind: 'set cloud clock', atMs: startMs - 1, byMs },
    { kind: 'start cloud', atMs: startMs },
    { ...press, atMs: startMs + draw.randomInt(500, 30_000) },
    { ...press, atMs: startMs + draw.randomInt(500, 30_000) },
  ]
}

/** During a long call the cloud restarts with another wall clock, and somebody presses again before the call is over. */
export function clockSetInCallOf(draw: Draw, gates: readonly HouseGate[]): Plan['actions'] {
  const gate = Math.max(
    0,
    gates.findIndex(({ farEnd }) => farEnd === 'ring_forever' || farEnd === 'answer_hold'),
  )
  const atMs = draw.randomInt(0, 40_000)
  const startMs = atMs + draw.randomInt(4_000, 9_000)
  const byMs = draw.randomInt(80_000, 86_400_000) * (draw.random() < 0.7 ? 1 : -1)
  const press = { kind: 'press', gate, guest: undefined } as const
  return [
    { ...press, atMs },
    { kind: 'kill cloud', atMs: startMs - draw.randomInt(100, 1_500), steps: 0 },
    { kind: 'set cloud clock', atMs: startMs - 1, byMs },
    { kind: 'start cloud', atMs: startMs },
    { ...press, atMs: startMs + draw.randomInt(15_000, 27_000) },
  ]
}
