// Plans another Space with a gateway of its own, and a gate that has the number of the first gate.

import type { Draw } from './draw.ts'
import type { Plan } from './plan.ts'

type Timed = Plan['actions'][number]

/**
 * In a tenth of the seeds. In most of them it opens the number again and again, for one to two minutes, and the people of the
 * first Space press in between. `draw` is a stream of its own, so that the other seeds stay unchanged.
 */
export function withOtherSpace<
  More extends { readonly kind: string; readonly atMs: number },
  P extends Pick<Plan, 'healedAtMs'> & { readonly actions: readonly (Timed | More)[] },
>(draw: Draw, plan: P) {
  if (draw.random() >= 0.1) return { ...plan, hasOtherSpace: false }
  const isHostile = draw.random() < 0.7
  const fromMs = draw.randomInt(0, 20_000)
  const untilMs = fromMs + (isHostile ? draw.randomInt(60_000, 130_000) : 20_000)
  const [leastMs, mostMs, ownShare] = isHostile ? [1_000, 2_500, 0.2] : [2_000, 20_000, 0.5]
  const more: Timed[] = []
  for (let atMs = fromMs; atMs < untilMs; atMs += draw.randomInt(leastMs, mostMs)) {
    more.push({ kind: 'press', atMs, gate: 0, guest: 'other Space' })
    const laterMs = atMs + draw.randomInt(0, 3_000)
    if (draw.random() < ownShare) more.push({ kind: 'press', atMs: laterMs, gate: 0, guest: undefined })
  }
  const actions = [...plan.actions, ...more].sort((a, b) => a.atMs - b.atMs)
  const healedAtMs = actions.reduce((lastMs, { atMs }) => Math.max(lastMs, atMs), plan.healedAtMs)
  return { ...plan, actions, healedAtMs, hasOtherSpace: true }
}
