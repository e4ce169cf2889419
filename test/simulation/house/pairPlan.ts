// The plan of a seed with two clouds: the faults of gateways and of the wire, and what befalls each cloud and its ways.

import { type Draw, pick } from './draw.ts'
import { type Action, type Plan, planOf } from './plan.ts'

/** What is done to the clouds of such a plan. */
export type OwnAction =
  | { readonly kind: 'turn'; readonly cloud: number }
  | { readonly kind: 'kill replica'; readonly cloud: number; readonly steps: number }
  | { readonly kind: 'cut database'; readonly cloud: number; readonly steps: number }
  | {
      readonly kind:
        | 'start replica'
        | 'redeploy replica'
        | 'pause replica'
        | 'go on, replica'
        | 'reach database'
        | 'cut broker'
        | 'reach broker'
      readonly cloud: number
    }
  | { readonly kind: 'widen tables' }

export type PairAction = { readonly atMs: number } & (Action | OwnAction)

export type PairPlan = Omit<Plan, 'actions'> & { readonly actions: readonly PairAction[] }

/** What befalls the one cloud of the other plan, and its clock and database. */
const ofOneCloud: ReadonlySet<Action['kind']> = new Set<Action['kind']>([
  'kill cloud',
  'start cloud',
  'stop cloud',
  'go on, cloud',
  'set cloud clock',
  'lock database',
  'release database',
  'unknown boot',
])

const isKept = (action: Action) =>
  !ofOneCloud.has(action.kind) &&
  !((action.kind === 'stand still' || action.kind === 'wake') && action.gateway === undefined)

const lastsMs = (draw: Draw) =>
  draw.random() < 0.5 ? draw.randomInt(300, 6_000) : draw.randomInt(6_000, 30_000)

/** One cloud is killed, redeployed, stopped, or cut off from the database or the broker. */
function troubleOf(draw: Draw, atMs: number, overMs: number): readonly PairAction[] {
  const cloud = draw.randomInt(0, 1)
  const endMs = Math.min(overMs, atMs + lastsMs(draw))
  const steps = draw.randomInt(0, 60)
  const what = draw.random()
  if (what < 0.3)
    return [
      { kind: 'kill replica', atMs, cloud, steps },
      { kind: 'start replica', atMs: endMs, cloud },
    ]
  if (what < 0.45) return [{ kind: 'redeploy replica', atMs, cloud }]
  if (what < 0.7)
    return [
      { kind: 'pause replica', atMs, cloud },
      { kind: 'go on, replica', atMs: endMs, cloud },
    ]
  if (what < 0.9)
    return [
      { kind: 'cut database', atMs, cloud, steps },
      { kind: 'reach database', atMs: endMs, cloud },
    ]
  return [
    { kind: 'cut broker', atMs, cloud },
    { kind: 'reach broker', atMs: endMs, cloud },
  ]
}

export function pairPlanOf(draw: Draw): PairPlan {
  const plan = planOf(draw)
  const actions: PairAction[] = plan.actions.filter(isKept)
  for (const { atMs, kind } of [...actions]) {
    if (kind !== 'press') continue
    actions.push({ kind: 'turn', atMs: Math.max(0, atMs - 1), cloud: draw.randomInt(0, 1) })
    if (draw.random() < 0.5) {
      const soonMs = Math.max(0, atMs + draw.randomInt(-4_000, 12_000))
      actions.push(...troubleOf(draw, soonMs, plan.healedAtMs))
    }
    // Another press at the other cloud, at the same moment or a little later.
    if (draw.random() < 0.3) {
      const gate = draw.randomInt(0, plan.gates.length - 1)
      const laterMs = atMs + pick(draw, [0, 1, draw.randomInt(1, 9_000)])
      actions.push({ kind: 'turn', atMs: laterMs, cloud: draw.randomInt(0, 1) })
      actions.push({ kind: 'press', atMs: laterMs, gate, guest: undefined })
    }
  }
  if (draw.random() < 0.3) actions.push({ kind: 'widen tables', atMs: draw.randomInt(0, plan.healedAtMs) })
  return { ...plan, actions: actions.sort((a, b) => a.atMs - b.atMs) }
}
