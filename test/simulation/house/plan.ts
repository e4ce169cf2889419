// What a seed decides beforehand: gates, guests, gateways, presses, and everything that goes wrong and when.

import { type ChipTrouble, chipTroubles } from './chip.ts'
import { clockSetInCallOf, clockSetOf, standingOf } from './clockPlan.ts'
import { type Draw, pick } from './draw.ts'
import type { HouseGate, HouseGuest } from './furnish.ts'
import { type DiskTrouble, diskTroubles, type Leftover, leftovers } from './gatewaySide.ts'
import { lockOf, restartInCallOf, ringingGate } from './restartPlan.ts'
import { faultless, type WireFaults } from './wire.ts'

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
export type Change = (typeof changes)[number]

/** The cloud's wall clock is set to another time, while it runs or before its next start. */
const clockFaults = [
  'cloud clock forward',
  'cloud clock back',
  'restart, clock forward',
  'restart, clock back',
]

/** Everything that goes wrong in some seed, by the names under which it is counted. */
export const faultKinds: readonly string[] = [
  ...Object.keys(faultless),
  ...changes,
  ...leftovers.map(leftover => `gateway killed, journal ${leftover}`),
  ...chipTroubles.map(trouble => `chip: ${trouble}`),
  ...diskTroubles.map(trouble => `disk: ${trouble}`),
  'gateway restarted',
  'gateway stopped',
  'cloud stopped',
  'gateway cut off',
  'cloud killed',
  'broker restart',
  'clock jump',
  ...clockFaults,
  'another program locks the database',
  'cloud stands still',
  'gateway stands still',
  'several at once',
  'an unknown boot is heard',
]

/** What is heard of a start that the cloud has never taken up: recorded once, and held back or played back. */
export const unknownWords = ['a beat', 'a beat that answers', 'a claim'] as const
export type UnknownWords = (typeof unknownWords)[number]

export type Act =
  | { readonly kind: 'press'; readonly gate: number; readonly guest: number | undefined }
  | { readonly kind: 'kill gateway'; readonly gateway: number; readonly steps: number }
  | { readonly kind: 'start gateway'; readonly gateway: number; readonly leftover: Leftover }
  | { readonly kind: 'kill cloud'; readonly steps: number }
  | { readonly kind: 'start cloud' | 'lock database' | 'release database' }
  | { readonly kind: 'broker restart' }
  | {
      readonly kind: 'restart gateway' | 'stop gateway' | 'go on, gateway' | 'clock jump'
      readonly gateway: number
    }
  | { readonly kind: 'unknown boot'; readonly gateway: number; readonly says: UnknownWords }
  | { readonly kind: 'cut off' | 'reach again'; readonly gateway: number }
  | { readonly kind: 'stop cloud' | 'go on, cloud' }
  /** The machine of a gateway, or of the cloud. */
  | { readonly kind: 'stand still'; readonly gateway: number | undefined; readonly steps: number }
  | { readonly kind: 'wake'; readonly gateway: number | undefined; readonly suspended: boolean }
  | { readonly kind: 'set cloud clock'; readonly byMs: number }
  | { readonly kind: 'chip'; readonly gateway: number; readonly trouble: ChipTrouble | undefined }
  | { readonly kind: 'disk'; readonly gateway: number; readonly trouble: DiskTrouble | undefined }
  | { readonly kind: 'change'; readonly change: Change; readonly gate: number; readonly guest: number }

export interface Plan {
  readonly gates: readonly HouseGate[]
  readonly guests: readonly HouseGuest[]
  readonly gateways: number
  readonly faults: WireFaults
  /** From here on nothing goes wrong any more. */
  readonly healedAtMs: number
  /** In the order of time; milliseconds since the house is ready. */
  readonly acts: readonly (Act & { readonly atMs: number })[]
}

/** By then faults are over, all but a gateway's that is cut off for longer. */
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

/** A network that gives up ringing at any time; where a reject is expected, in words that no reject has. */
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

/** A kill within the next effects of a process, and its start within 20 s. */
function killOf(draw: Draw, atMs: number, gateways: number): Plan['acts'] {
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

/** A process that stands still for up to 30 s. */
function stopOf(draw: Draw, atMs: number, gateways: number): Plan['acts'] {
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

/** Something of a gateway's that is wrong for up to 40 s; a chip may sleep for 120. */
function troubleOf(draw: Draw, atMs: number, gateways: number): Plan['acts'] {
  const gateway = draw.randomInt(0, gateways - 1)
  const what = draw.random()
  if (what < 0.1) return [{ kind: 'clock jump', atMs, gateway }]
  if (what < 0.2) return [{ kind: 'restart gateway', atMs, gateway }]
  const lastsMs = draw.randomInt(1_000, 40_000)
  const overMs = Math.min(healedAtMs, atMs + lastsMs)
  if (what < 0.5)
    return [
      { kind: 'disk', atMs, gateway, trouble: pick(draw, diskTroubles) },
      { kind: 'disk', atMs: overMs, gateway, trouble: undefined },
    ]
  const trouble = pick(draw, chipTroubles)
  // Longer than the driver takes to give up an ATD that nobody answers.
  const wakesMs = atMs + 3 * lastsMs
  return [
    { kind: 'chip', atMs, gateway, trouble },
    { kind: 'chip', atMs: trouble === 'sleeps' ? wakesMs : overMs, gateway, trouble: undefined },
  ]
}

const lastOf = (acts: Plan['acts']) => acts.reduce((lastMs, { atMs }) => Math.max(lastMs, atMs), healedAtMs)

/** A gateway that nobody reaches until the cloud has given up its call; somebody presses again just then. */
function longCutOf(draw: Draw, gate: number, gateways: number): Plan['acts'] {
  const gateway = draw.randomInt(0, gateways - 1)
  const atMs = draw.randomInt(300, 4_000)
  return [
    { kind: 'press', atMs: 0, gate, guest: undefined },
    { kind: 'cut off', atMs, gateway },
    { kind: 'press', atMs: draw.randomInt(90_100, 95_000), gate, guest: undefined },
    { kind: 'reach again', atMs: draw.randomInt(91_000, 120_000), gateway },
  ]
}

/** What the wire still holds of starts that lived offline, or whose beats were all lost. */
function unknownBoots(draw: Draw, gateways: number): Plan['acts'] {
  if (draw.random() < 0.7) return []
  return Array.from({ length: draw.randomInt(1, 3) }, () => ({
    kind: 'unknown boot' as const,
    atMs: draw.randomInt(0, healedAtMs),
    gateway: draw.randomInt(0, gateways - 1),
    says: pick(draw, unknownWords),
  }))
}

/** The plan that follows from the draws. */
export function planOf(draw: Draw): Plan {
  const gates = Array.from({ length: draw.randomInt(1, 3) }, () => pick(draw, choices))
  const gateways = draw.randomInt(1, 2)
  const place = () => draw.randomInt(0, gates.length - 1)
  const guests = Array.from({ length: 2 }, () => ({ gate: place(), maxUsage: pick(draw, [null, 1, 2]) }))
  const acts: (Act & { atMs: number })[] = []
  for (let atMs = 0; atMs < pressesEndMs; atMs += draw.randomInt(0, 20_000)) {
    const guest = draw.random() < 0.4 ? draw.randomInt(0, guests.length - 1) : undefined
    const gate = guest === undefined ? place() : (guests[guest]?.gate ?? 0)
    acts.push({ kind: 'press', atMs, gate, guest })
    const others = draw.random() < 0.2 ? draw.randomInt(1, 3) : 0
    for (let other = 0; other < others; other++) acts.push({ kind: 'press', atMs, gate, guest: undefined })
    const soonMs = atMs + draw.randomInt(0, 12_000)
    const what = draw.random()
    if (what < 0.25) acts.push(...killOf(draw, soonMs, gateways))
    else if (what < 0.35) acts.push({ kind: 'broker restart', atMs: soonMs })
    else if (what < 0.5) acts.push(...stopOf(draw, soonMs, gateways))
    else if (what < 0.75) acts.push(...troubleOf(draw, soonMs, gateways))
    else if (what < 0.85) {
      const inFlightMs = atMs + draw.randomInt(0, 1_000)
      const who = guest ?? draw.randomInt(0, guests.length - 1)
      acts.push({ kind: 'change', atMs: inFlightMs, change: pick(draw, changes), gate, guest: who })
    }
  }
  if (draw.random() < 0.06) acts.push(...longCutOf(draw, place(), gateways))
  const faults = wireFaults(draw)
  acts.push(...unknownBoots(draw, gateways))
  // Drawn one after the other, and last, so that each changes nothing else of a seed.
  const givenUp = gates.map(gate => givingUp(draw, gate))
  const presses = acts.flatMap(act => (act.kind === 'press' ? [act] : []))
  if (draw.random() < 0.2) acts.push(...standingOf(draw, presses, gateways))
  if (draw.random() < 0.08) acts.push(...clockSetOf(draw, presses))
  if (draw.random() < 0.08) acts.push(...clockSetInCallOf(draw, gates))
  if (draw.random() < 0.08) acts.push(...lockOf(draw, presses))
  const restartsInCall = draw.random() < 0.08
  if (restartsInCall) acts.push(...restartInCallOf(draw, gates.length))
  return {
    gates: restartsInCall ? [...givenUp, ringingGate] : givenUp,
    guests,
    gateways: restartsInCall ? 2 : gateways,
    healedAtMs: lastOf(acts),
    faults,
    acts: acts.sort((a, b) => a.atMs - b.atMs),
  }
}
