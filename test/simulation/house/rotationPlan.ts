// Plans a rotation of the clouds' signing key: its beginning or its end falls among the other faults of a seed.

import type { Draw } from './draw.ts'
import type { PairAction, PairPlan } from './pairPlan.ts'

/** Around the end of the rotation: the old key can be forgotten two minutes after the beginning at the earliest. */
const leadsMs = [50_000, 125_000] as const

/**
 * Delays everything else where the end of the rotation is to meet it. Often a gateway is off from the beginning until its absence
 * alone keeps the old key from being forgotten.
 */
export function withRotation(draw: Draw, plan: PairPlan): PairPlan {
  const leadMs = draw.random() < 0.4 ? 0 : draw.randomInt(...leadsMs)
  const atMs = leadMs > 0 ? 0 : draw.randomInt(0, plan.healedAtMs)
  const actions: PairAction[] = plan.actions.map(action => ({ ...action, atMs: action.atMs + leadMs }))
  let healedAtMs = plan.healedAtMs + leadMs
  if (draw.random() < 0.3) {
    const gateway = draw.randomInt(0, plan.gateways - 1)
    const startMs = atMs + draw.randomInt(110_000, 170_000)
    actions.push({ kind: 'kill gateway', atMs, gateway, steps: 0 })
    actions.push({ kind: 'start gateway', atMs: startMs, gateway, leftover: 'kept' })
    healedAtMs = Math.max(healedAtMs, startMs)
  }
  actions.push({ kind: 'rotate', atMs })
  return { ...plan, healedAtMs, actions: actions.sort((a, b) => a.atMs - b.atMs) }
}
