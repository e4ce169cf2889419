// Plans presses that are repeated with their Idempotency-Key while a wall clock is off by more than the day that keys are kept.

import { type Draw, pick } from './draw.ts'
import type { Plan } from './plan.ts'

type Timed = Plan['actions'][number]
type Pressing = Timed & { readonly kind: 'press' }

/** How one sort of house sets the wall clock of a cloud, and where its presses arrive. */
export interface KeyedWays<More> {
  readonly setClock: (draw: Draw, atMs: number, byMs: number) => readonly (Timed | More)[]
  readonly pressed: (draw: Draw, press: Pressing) => readonly (Timed | More)[]
}

const hourMs = 3_600_000
const offMs = [25 * hourMs, -26 * hourMs]

/** The wall clock of the one cloud is set while it runs, or before it starts again. */
export const ofOneCloud: KeyedWays<never> = {
  setClock: (draw, atMs, byMs) =>
    draw.random() < 0.6
      ? [{ kind: 'set cloud clock', atMs, byMs }]
      : [
          { kind: 'kill cloud', atMs: Math.max(0, atMs - 500), steps: 0 },
          { kind: 'set cloud clock', atMs: atMs - 1, byMs },
          { kind: 'start cloud', atMs },
        ],
  pressed: (_, press) => [press],
}

/**
 * In a tenth of the seeds. A machine gets its time only after the first presses, or a right clock is set wrong and in most cases
 * right again. `draw` is a stream of its own, so that the other seeds stay unchanged.
 */
export function withKeys<
  More extends { readonly kind: string; readonly atMs: number },
  P extends Pick<Plan, 'gates' | 'healedAtMs'> & { readonly actions: readonly (Timed | More)[] },
>(draw: Draw, plan: P, { pressed, setClock }: KeyedWays<More>) {
  if (draw.random() >= 0.1) return { ...plan, hasKeys: false }
  const gate = draw.randomInt(0, plan.gates.length - 1)
  const byMs = pick(draw, offMs)
  const beginsWrong = draw.random() < 0.4
  let atMs = draw.randomInt(2_000, 20_000)
  const more: (Timed | More)[] = beginsWrong ? [...setClock(draw, 1_000, byMs)] : []
  const press = (key: string) => {
    atMs += draw.randomInt(1_000, 12_000)
    more.push(...pressed(draw, { kind: 'press', atMs, gate, guest: undefined, key }))
  }
  const set = (by: number) => {
    atMs += draw.randomInt(1_000, 8_000)
    more.push(...setClock(draw, atMs, by))
  }
  press('one')
  set(beginsWrong ? -byMs : byMs)
  // Each new key deletes the stored data of old ones.
  if (draw.random() < 0.5) press('two')
  press('one')
  if (!beginsWrong && draw.random() < 0.7) set(-byMs)
  press('two')
  press('one')
  const actions = [...plan.actions, ...more].sort((a, b) => a.atMs - b.atMs)
  return { ...plan, actions, healedAtMs: Math.max(plan.healedAtMs, atMs), hasKeys: true }
}
