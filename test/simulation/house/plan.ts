// The plan of a seed: gates, guests, gateways, presses, and all faults with their times.

import type { ModelName } from '@callgate/simulator/core/model'
import type { BackgroundAction } from './backgroundPlan.ts'
import { type ChipFault, chipFaults } from './chip.ts'
import { clockSetInCallOf, clockSetOf, statusOf } from './clockPlan.ts'
import { faultless, type WireFaults } from './delivery.ts'
import { type Draw, pick } from './draw.ts'
import type { HouseGate, HouseGuest } from './furnish.ts'
import { type DiskFault, diskFaults, type Leftover, leftovers } from './gatewayDisk.ts'
import { lockDownOf } from './lockDownPlan.ts'
import type { Presser } from './presser.ts'
import { lockOf, restartInCallOf, ringingGate } from './restartPlan.ts'
import type { SimCardAction } from './simCardPlan.ts'
import { userPressesOf } from './userPlan.ts'

export const changes = [
  'key revoked',
  'plan lost',
  'gate deactivated',
  'access deactivated',
  'access removed',
  'member deactivated',
  'schedule ended',
  'cap reached',
] as const
/** Changes that end a permission of the dashboard's user. */
export const userChanges = ['role removed', 'session ended', 'user deactivated'] as const
export type Change = (typeof changes)[number] | (typeof userChanges)[number]

/** The cloud's wall clock is set to another time, while it runs or before its next start. */
const clockFaults = [
  'cloud clock forward',
  'cloud clock back',
  'restart, clock forward',
  'restart, clock back',
]

/** All kinds of faults, by the names under which they are counted. */
export const faultKinds: readonly string[] = [
  ...Object.keys(faultless),
  ...changes,
  ...userChanges,
  ...leftovers.map(leftover => `gateway killed, journal ${leftover}`),
  ...chipFaults.map(fault => `chip: ${fault}`),
  ...diskFaults.map(fault => `disk: ${fault}`),
  'gateway restarted',
  'gateway stopped',
  'cloud stopped',
  'gateway cut off',
  'cloud killed',
  'broker restart',
  'clock jump',
  ...clockFaults,
  'another program locks the database',
  'cloud stalls',
  'gateway stalls',
  'several at once',
  'an unknown boot is heard',
  'all gates locked',
]

/** Messages of a boot that the cloud does not know: recorded earlier, then held back or replayed. */
export const unknownBootMessages = ['a beat', 'a beat that answers', 'a claim'] as const
export type UnknownBootMessage = (typeof unknownBootMessages)[number]

export type Action =
  | BackgroundAction
  | SimCardAction
  | { readonly kind: 'press'; readonly gate: number; readonly guest: Presser; readonly key?: string }
  | { readonly kind: 'kill gateway'; readonly gateway: number; readonly steps: number }
  | { readonly kind: 'start gateway'; readonly gateway: number; readonly leftover: Leftover }
  | { readonly kind: 'kill cloud'; readonly steps: number }
  | { readonly kind: 'start cloud' | 'lock database' | 'release database' }
  | { readonly kind: 'broker restart' }
  | {
      readonly kind: 'restart gateway' | 'stop gateway' | 'go on, gateway' | 'clock jump'
      readonly gateway: number
    }
  | { readonly kind: 'unknown boot'; readonly gateway: number; readonly says: UnknownBootMessage }
  | { readonly kind: 'cut off' | 'reach again'; readonly gateway: number }
  | { readonly kind: 'stop cloud' | 'go on, cloud' }
  /** The machine of a gateway, or of the cloud. */
  | { readonly kind: 'stall'; readonly gateway: number | undefined; readonly steps: number }
  | { readonly kind: 'wake'; readonly gateway: number | undefined; readonly suspended: boolean }
  | { readonly kind: 'set cloud clock'; readonly byMs: number }
  | { readonly kind: 'chip'; readonly gateway: number; readonly fault: ChipFault | undefined }
  | { readonly kind: 'disk'; readonly gateway: number; readonly fault: DiskFault | undefined }
  | { readonly kind: 'lock down' | 'end lock-down' }
  | { readonly kind: 'change'; readonly change: Change; readonly gate: number; readonly guest: number }

export interface Plan {
  readonly gates: readonly HouseGate[]
  readonly guests: readonly HouseGuest[]
  readonly gateways: number
  /** What modem each gateway has; absent: the usual one. */
  readonly models?: readonly ModelName[]
  readonly faults: WireFaults
  /** All faults end here. */
  readonly healedAtMs: number
  /** In the order of time; milliseconds since the simulation is ready. */
  readonly actions: readonly (Action & { readonly atMs: number })[]
}

/** The usual end of all faults. A long disconnection of a gateway ends later. */
const healedAtMs = 70_000
const pressesEndMs = 50_000

const learned = { learned: true, discriminating: true, reactMinMs: 500, reactMaxMs: 12_000 } as const
const reject = { mode: 'reject', ...learned } as const
const unverified = { mode: 'unverified' } as const
const choices: readonly HouseGate[] = [
  { farEnd: 'reject_busy', profile: reject },
  { farEnd: 'answer_release_2s', profile: { mode: 'answer_release', ...learned } },
  { farEnd: 'answer_hold', profile: { mode: 'answer_hold', ...learned } },
  { farEnd: 'busy_before_alert', profile: unverified },
  { farEnd: 'ring_forever', profile: unverified },
  { farEnd: 'reject_no_carrier', profile: reject },
  { farEnd: 'reject_without_opening', profile: unverified },
  { farEnd: 'no_credit_nocarrier_1s', profile: unverified },
]

/**
 * In a third of the seeds, uncalibrated gates that ring unanswered open by the ringing alone. `draw` is a stream of its own, so
 * that the other seeds stay unchanged.
 */
export function withRingOpeners<P extends { readonly gates: readonly HouseGate[] }>(draw: Draw, plan: P): P {
  if (draw.random() >= 1 / 3) return plan
  const gates = plan.gates.map(gate =>
    gate.farEnd === 'ring_forever' && gate.profile === unverified
      ? { ...gate, farEnd: 'ring_opens' as const }
      : gate,
  )
  return { ...plan, gates }
}

function wireFaults(draw: Draw): WireFaults {
  const how = draw.random()
  if (how < 0.25) return faultless
  const most = how < 0.7 ? 0.1 : 0.3
  const chance = () => draw.random() * most
  return {
    lose: chance(),
    repeat: chance(),
    delay: chance(),
    reorder: chance(),
    replay: chance(),
    alter: chance() / 3,
    forge: draw.random() < 0.5 ? 0.5 : 0,
  }
}

/** A network that stops ringing at any time. Where the profile expects a reject, its tokens are none of a reject. */
function givingUp(draw: Draw, gate: HouseGate): HouseGate {
  if (gate.farEnd !== 'ring_forever') return gate
  const ringLimitMs = draw.randomInt(10_000, 90_000)
  if (draw.random() < 0.5) {
    const givesUpWith = { token: 'NO ANSWER', cause: pick(draw, [0, 18, 19, 102]) } as const
    return { ...gate, profile: reject, network: { ringLimitMs, givesUpWith } }
  }
  const token = pick(draw, ['BUSY', 'NO CARRIER', 'NO ANSWER'] as const)
  return { ...gate, network: { ringLimitMs, givesUpWith: { token, cause: pick(draw, [0, 16, 19]) } } }
}

/** A process is killed at one of its next 60 effects, and starts again within 20 s. */
function killOf(draw: Draw, atMs: number, gateways: number): Plan['actions'] {
  const steps = draw.randomInt(0, 60)
  const startMs = Math.min(healedAtMs, atMs + draw.randomInt(1_000, 20_000))
  if (draw.random() < 0.4)
    return [
      { kind: 'kill cloud', atMs, steps },
      { kind: 'start cloud', atMs: startMs },
    ]
  const gateway = draw.randomInt(0, gateways - 1)
  const leftover = pick(draw, leftovers)
  return [
    { kind: 'kill gateway', atMs, gateway, steps },
    { kind: 'start gateway', atMs: startMs, gateway, leftover },
  ]
}

/** A process is stopped for up to 30 s. */
function stopOf(draw: Draw, atMs: number, gateways: number): Plan['actions'] {
  const onMs = Math.min(healedAtMs, atMs + draw.randomInt(200, 30_000))
  if (draw.random() < 0.3)
    return [
      { kind: 'stop cloud', atMs },
      { kind: 'go on, cloud', atMs: onMs },
    ]
  const gateway = draw.randomInt(0, gateways - 1)
  return [
    { kind: 'stop gateway', atMs, gateway },
    { kind: 'go on, gateway', atMs: onMs, gateway },
  ]
}

/** A fault of one gateway for up to 40 s. Only a sleeping chip may last up to 120 s. */
function gatewayFaultOf(draw: Draw, atMs: number, gateways: number): Plan['actions'] {
  const gateway = draw.randomInt(0, gateways - 1)
  const what = draw.random()
  if (what < 0.1) return [{ kind: 'clock jump', atMs, gateway }]
  if (what < 0.2) return [{ kind: 'restart gateway', atMs, gateway }]
  const lastsMs = draw.randomInt(1_000, 40_000)
  const overMs = Math.min(healedAtMs, atMs + lastsMs)
  if (what < 0.5)
    return [
      { kind: 'disk', atMs, gateway, fault: pick(draw, diskFaults) },
      { kind: 'disk', atMs: overMs, gateway, fault: undefined },
    ]
  const fault = pick(draw, chipFaults)
  // This may be longer than the driver waits for the answer to an ATD.
  const wakesMs = atMs + 3 * lastsMs
  return [
    { kind: 'chip', atMs, gateway, fault },
    { kind: 'chip', atMs: fault === 'sleeps' ? wakesMs : overMs, gateway, fault: undefined },
  ]
}

const lastOf = (actions: Plan['actions']) =>
  actions.reduce((lastMs, { atMs }) => Math.max(lastMs, atMs), healedAtMs)

/** A gateway is disconnected until the cloud has given up its call, and somebody presses again at that time. */
function longCutOf(draw: Draw, gate: number, gateways: number): Plan['actions'] {
  const gateway = draw.randomInt(0, gateways - 1)
  const atMs = draw.randomInt(300, 4_000)
  return [
    { kind: 'press', atMs: 0, gate, guest: undefined },
    { kind: 'cut off', atMs, gateway },
    { kind: 'press', atMs: draw.randomInt(90_100, 95_000), gate, guest: undefined },
    { kind: 'reach again', atMs: draw.randomInt(91_000, 120_000), gateway },
  ]
}

/** Late messages of boots that were offline, or whose beats were all lost. */
function unknownBoots(draw: Draw, gateways: number): Plan['actions'] {
  if (draw.random() < 0.7) return []
  return Array.from({ length: draw.randomInt(1, 3) }, () => ({
    kind: 'unknown boot' as const,
    atMs: draw.randomInt(0, healedAtMs),
    gateway: draw.randomInt(0, gateways - 1),
    says: pick(draw, unknownBootMessages),
  }))
}

/** Draws the plan. */
export function planOf(draw: Draw): Plan {
  const gates = Array.from({ length: draw.randomInt(1, 3) }, () => pick(draw, choices))
  const gateways = draw.randomInt(1, 2)
  const place = () => draw.randomInt(0, gates.length - 1)
  const guests = Array.from({ length: 2 }, () => ({ gate: place(), maxUsage: pick(draw, [null, 1, 2]) }))
  const actions: (Action & { atMs: number })[] = []
  for (let atMs = 0; atMs < pressesEndMs; atMs += draw.randomInt(0, 20_000)) {
    const guest = draw.random() < 0.4 ? draw.randomInt(0, guests.length - 1) : undefined
    const gate = guest === undefined ? place() : (guests[guest]?.gate ?? 0)
    actions.push({ kind: 'press', atMs, gate, guest })
    const others = draw.random() < 0.2 ? draw.randomInt(1, 3) : 0
    for (let other = 0; other < others; other++) actions.push({ kind: 'press', atMs, gate, guest: undefined })
    const soonMs = atMs + draw.randomInt(0, 12_000)
    const what = draw.random()
    if (what < 0.25) actions.push(...killOf(draw, soonMs, gateways))
    else if (what < 0.35) actions.push({ kind: 'broker restart', atMs: soonMs })
    else if (what < 0.5) actions.push(...stopOf(draw, soonMs, gateways))
    else if (what < 0.75) actions.push(...gatewayFaultOf(draw, soonMs, gateways))
    else if (what < 0.85) {
      const inFlightMs = atMs + draw.randomInt(0, 1_000)
      const who = guest ?? draw.randomInt(0, guests.length - 1)
      actions.push({ kind: 'change', atMs: inFlightMs, change: pick(draw, changes), gate, guest: who })
    }
  }
  if (draw.random() < 0.06) actions.push(...longCutOf(draw, place(), gateways))
  const faults = wireFaults(draw)
  actions.push(...unknownBoots(draw, gateways))
  // These are drawn last, one after the other, so that a new kind of fault does not change the rest of a seed.
  const givenUp = gates.map(gate => givingUp(draw, gate))
  const presses = actions.flatMap(action => (action.kind === 'press' ? [action] : []))
  if (draw.random() < 0.2) actions.push(...statusOf(draw, presses, gateways))
  if (draw.random() < 0.08) actions.push(...clockSetOf(draw, presses))
  if (draw.random() < 0.08) actions.push(...clockSetInCallOf(draw, gates))
  if (draw.random() < 0.08) actions.push(...lockOf(draw, presses))
  const restartsInCall = draw.random() < 0.08
  if (restartsInCall) actions.push(...restartInCallOf(draw, gates.length))
  if (draw.random() < 0.15) actions.push(...userPressesOf(draw, gates.length))
  if (draw.random() < 0.08) actions.push(...lockDownOf(draw, gates.length))
  return {
    gates: restartsInCall ? [...givenUp, ringingGate] : givenUp,
    guests,
    gateways: restartsInCall ? 2 : gateways,
    healedAtMs: lastOf(actions),
    faults,
    actions: actions.sort((a, b) => a.atMs - b.atMs),
  }
}
