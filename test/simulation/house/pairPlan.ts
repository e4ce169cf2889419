// The plan of a seed with two clouds: the faults of gateways and of the wire, and those of each cloud and its connections.

import { type CloudKill, withBackground } from './backgroundPlan.ts'
import { type Draw, pick } from './draw.ts'
import { type Action, type Plan, planOf } from './plan.ts'
import { withRotation } from './rotationPlan.ts'
import type { Version } from './versions.ts'

/** The actions on the clouds of such a plan. */
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
  | { readonly kind: 'stall, replica'; readonly cloud: number; readonly steps: number }
  | { readonly kind: 'wake replica'; readonly cloud: number; readonly suspended: boolean }
  | { readonly kind: 'lose answer'; readonly cloud: number; readonly commits: number }
  | { readonly kind: 'slow broker'; readonly cloud: number; readonly byMs: number }
  | { readonly kind: 'lose for one'; readonly cloud: number; readonly share: number }
  | {
      readonly kind: 'hide gateway' | 'show gateway'
      readonly cloud: number
      readonly gateway: number
    }
  | { readonly kind: 'slow database'; readonly byMs: number }
  | {
      readonly kind: 'drift'
      readonly whose: readonly ['database' | 'cloud' | 'gateway', number]
      readonly rate: number
    }
  | { readonly kind: 'set replica clock'; readonly cloud: number; readonly byMs: number }
  | { readonly kind: 'set database clock'; readonly byMs: number }
  | { readonly kind: 'deploy'; readonly cloud: number; readonly version: Version }
  | { readonly kind: 'rotate' }

export type PairAction = { readonly atMs: number } & (Action | OwnAction)

export type PairPlan = Omit<Plan, 'actions'> & { readonly actions: readonly PairAction[] }

/** The actions of the plan for one cloud that do not apply here: those on the cloud, its clock and its database. */
const ofOneCloud: ReadonlySet<Action['kind']> = new Set<Action['kind']>([
  'kill cloud',
  'start cloud',
  'stop cloud',
  'go on, cloud',
  'set cloud clock',
  'lock database',
  'release database',
])

const isKept = (action: Action) =>
  !ofOneCloud.has(action.kind) &&
  !((action.kind === 'stall' || action.kind === 'wake') && action.gateway === undefined)

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

type Fault = (draw: Draw, pressedMs: number, gates: number) => readonly PairAction[]

/** A press at either cloud. */
function pressOf(draw: Draw, atMs: number, gates: number): readonly PairAction[] {
  const gate = draw.randomInt(0, gates - 1)
  return [
    { kind: 'turn', atMs, cloud: draw.randomInt(0, 1) },
    { kind: 'press', atMs, gate, guest: undefined },
  ]
}

/** How long a machine stalls: shorter than a lease, longer than one, or longer than the database waits for it. */
const standsMs = [
  [200, 3_900],
  [3_900, 9_500],
  [9_500, 60_000],
] as const

/** The machine of one cloud stalls around a press, in the middle of a transaction or after one. */
const statusOf: Fault = (draw, pressedMs, gates) => {
  const cloud = draw.randomInt(0, 1)
  const atMs = Math.max(0, pressedMs + (draw.random() < 0.6 ? -1 : draw.randomInt(0, 4_000)))
  const [leastMs, mostMs] = pick(draw, standsMs)
  const wakesMs = atMs + draw.randomInt(leastMs, mostMs)
  return [
    { kind: 'stall, replica', atMs, cloud, steps: draw.randomInt(0, 40) },
    { kind: 'wake replica', atMs: wakesMs, cloud, suspended: draw.random() < 0.25 },
    ...pressOf(draw, atMs + draw.randomInt(0, 12_000), gates),
    ...pressOf(draw, wakesMs + draw.randomInt(0, 12_000), gates),
  ]
}

/** The change of a clock: less than a lease, or much more. */
function clockStepOf(draw: Draw): number {
  const wayMs = draw.random() < 0.5 ? draw.randomInt(100, 3_900) : draw.randomInt(3_900, 120_000)
  return draw.random() < 0.5 ? wayMs : -wayMs
}

const databaseClockOf: Fault = (draw, pressedMs, gates) => {
  const atMs = Math.max(0, pressedMs + draw.randomInt(-2_000, 20_000))
  return [
    { kind: 'set database clock', atMs, byMs: clockStepOf(draw) },
    ...pressOf(draw, atMs + draw.randomInt(0, 8_000), gates),
    ...pressOf(draw, atMs + draw.randomInt(0, 8_000), gates),
  ]
}

const cloudClockOf: Fault = (draw, pressedMs, gates) => {
  const atMs = Math.max(0, pressedMs + draw.randomInt(-2_000, 20_000))
  return [
    { kind: 'set replica clock', atMs, cloud: draw.randomInt(0, 1), byMs: clockStepOf(draw) },
    ...pressOf(draw, atMs + draw.randomInt(0, 8_000), gates),
  ]
}

const lostAnswerOf: Fault = (draw, pressedMs) => {
  const atMs = Math.max(0, pressedMs + draw.randomInt(-1, 4_000))
  return [{ kind: 'lose answer', atMs, cloud: draw.randomInt(0, 1), commits: draw.randomInt(0, 4) }]
}

/** One cloud receives everything later than the other one. */
const slowBrokerOf: Fault = (draw, pressedMs) => {
  const cloud = draw.randomInt(0, 1)
  const atMs = Math.max(0, pressedMs + draw.randomInt(-4_000, 4_000))
  return [
    { kind: 'slow broker', atMs, cloud, byMs: draw.randomInt(100, 8_000) },
    { kind: 'slow broker', atMs: atMs + lastsMs(draw), cloud, byMs: 0 },
  ]
}

/** Messages are lost for one cloud only. */
const lostForOneOf: Fault = (draw, pressedMs) => {
  const cloud = draw.randomInt(0, 1)
  const atMs = Math.max(0, pressedMs + draw.randomInt(-4_000, 2_000))
  return [
    { kind: 'lose for one', atMs, cloud, share: pick(draw, [0.2, 0.5, 0.9]) },
    { kind: 'lose for one', atMs: atMs + lastsMs(draw), cloud, share: 0 },
  ]
}

/** One cloud and a gateway lose the connection to each other, and the other cloud still has it. */
const hiddenOf: Fault = (draw, pressedMs, gates) => {
  const at = { cloud: draw.randomInt(0, 1), gateway: draw.randomInt(0, 1) }
  const atMs = Math.max(0, pressedMs + draw.randomInt(-2_000, 4_000))
  return [
    { kind: 'hide gateway', atMs, ...at },
    ...pressOf(draw, atMs + draw.randomInt(0, 12_000), gates),
    { kind: 'show gateway', atMs: atMs + lastsMs(draw), ...at },
  ]
}

/** Each statement takes a little longer, or much longer. */
const slowDatabaseOf: Fault = (draw, pressedMs, gates) => {
  const atMs = Math.max(0, pressedMs + draw.randomInt(-2_000, 4_000))
  const byMs = draw.random() < 0.5 ? draw.randomInt(2, 20) : draw.randomInt(21, 1_500)
  return [
    { kind: 'slow database', atMs, byMs },
    ...pressOf(draw, atMs + draw.randomInt(0, 12_000), gates),
    { kind: 'slow database', atMs: atMs + lastsMs(draw), byMs: 0 },
  ]
}

/**
 * A clock runs too fast or too slow: a machine's by up to 1 %, some hundred times what a quartz does, and the wall clock of the
 * database's server by up to 8 %, as chrony slews it at most.
 */
const driftOf: Fault = (draw, pressedMs, gates) => {
  const kind = pick(draw, ['database', 'cloud', 'gateway'] as const)
  const whose = [kind, draw.randomInt(0, 1)] as const
  const rate = 1 + (draw.random() * 2 - 1) * (kind === 'database' ? 0.08 : 0.01)
  const atMs = Math.max(0, pressedMs - draw.randomInt(0, 20_000))
  return [
    { kind: 'drift', atMs, whose, rate },
    ...pressOf(draw, atMs + draw.randomInt(0, 12_000), gates),
    { kind: 'drift', atMs: atMs + lastsMs(draw) + 10_000, whose, rate: 1 },
  ]
}

/** Drawn after those above and after the deploy, so that these do not change the rest of a seed either. */
const laterFaults: readonly (readonly [share: number, faultOf: Fault])[] = [
  [0.15, lostForOneOf],
  [0.15, hiddenOf],
  [0.2, slowDatabaseOf],
  [0.2, driftOf],
]

/**
 * One cloud is replaced by the next version, which migrates, and the other one starts again unchanged, once or twice. In the end
 * it is replaced as well, or the next version is rolled back.
 */
function deployOf(draw: Draw, atMs: number, { gates, healedAtMs }: Plan): readonly PairAction[] {
  const cloud = draw.randomInt(0, 1)
  const restartMs = atMs + draw.randomInt(0, 20_000)
  const isKill = draw.random() < 0.5
  const laterMs = Math.min(healedAtMs, restartMs + draw.randomInt(500, 20_000))
  const back = draw.random() < 0.5
  return [
    ...pressOf(draw, Math.max(0, atMs - draw.randomInt(0, 3_000)), gates.length),
    { kind: 'deploy', atMs, cloud, version: 'next version' },
    ...(isKill
      ? [
          { kind: 'kill replica', atMs: restartMs, cloud: 1 - cloud, steps: draw.randomInt(0, 60) } as const,
          { kind: 'start replica', atMs: Math.min(laterMs, restartMs + 1_000), cloud: 1 - cloud } as const,
        ]
      : [{ kind: 'redeploy replica', atMs: restartMs, cloud: 1 - cloud } as const]),
    ...pressOf(draw, restartMs + draw.randomInt(0, 8_000), gates.length),
    back
      ? { kind: 'deploy', atMs: laterMs, cloud, version: 'this version' }
      : { kind: 'deploy', atMs: laterMs, cloud: 1 - cloud, version: 'next version' },
    ...pressOf(draw, laterMs + draw.randomInt(0, 8_000), gates.length),
  ]
}

/** Each with its share of the seeds. */
const rareFaults: readonly (readonly [share: number, faultOf: Fault])[] = [
  [0.25, statusOf],
  [0.2, databaseClockOf],
  [0.1, cloudClockOf],
  [0.2, lostAnswerOf],
  [0.2, slowBrokerOf],
]

/** One cloud is killed at one of its next effects, and starts again. */
const replicaKilled: CloudKill<PairAction> = (draw, atMs, startMs) => {
  const cloud = draw.randomInt(0, 1)
  return [
    { kind: 'kill replica', atMs, cloud, steps: draw.randomInt(0, 20) },
    { kind: 'start replica', atMs: startMs, cloud },
  ]
}

/** The share of the seeds in which the signing key is rotated. */
const rotatedShare = 0.15

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
  const deployedMs = draw.random() < 0.3 ? draw.randomInt(0, plan.healedAtMs) : undefined
  const presses = actions.filter(({ kind }) => kind === 'press')
  // These are drawn last, one after the other, so that a new kind of fault does not change the rest of a seed.
  for (const [share, faultOf] of rareFaults)
    if (draw.random() < share) actions.push(...faultOf(draw, pick(draw, presses).atMs, plan.gates.length))
  if (deployedMs !== undefined) actions.push(...deployOf(draw, deployedMs, plan))
  for (const [share, faultOf] of laterFaults)
    if (draw.random() < share) actions.push(...faultOf(draw, pick(draw, presses).atMs, plan.gates.length))
  const whole = { ...plan, actions: actions.sort((a, b) => a.atMs - b.atMs) }
  const turned = draw.random() < rotatedShare ? withRotation(draw, whole) : whole
  return withBackground<PairAction, PairPlan>(draw, turned, replicaKilled)
}
