// Plans a rotation of the clouds' signing key: its beginning or its end falls among the other faults of a seed.

import type { Draw } from './draw.ts'
import type { PairAction, PairPlan } from './pairPlan.ts'

/** The old key can be forgotten two minutes after the beginning, at the earliest. */
const leadsMs = [50_000, 125_000] as const

/** With everything else so much later, where the end of the rotation is to meet it. */
export function withRotation(draw: Draw, plan: PairPlan): PairPlan {
  const leadMs = draw.random() < 0.4 ? 0 : draw.randomInt(...leadsMs)
  const atMs = leadMs > 0 ? 0 : draw.randomInt(0, plan.healedAtMs)
  const later = plan.actions.map(action => ({ ...action, atMs: action.atMs + leadMs }))
  const rotate: PairAction = { kind: 'rotate', atMs }
  return {
    ...plan,
    healedAtMs: plan.healedAtMs + leadMs,
    actions: [...later, rotate].sort((a, b) => a.atMs - b.atMs),
  }
}
