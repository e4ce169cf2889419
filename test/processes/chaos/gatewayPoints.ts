// The named points of two gateways for one gate: at each moment the one that is asked first is lost in some way.

import { everyMoment, type Fault, type MomentName, type Point, pointsOf } from './points.ts'

/** The moments at which the opening is not granted yet. */
const ungranted: readonly MomentName[] = [
  'accepted',
  'before-hint',
  'after-hint',
  'before-claim',
  'after-claim',
]

/** Longer than a claim is fresh: what the lost gateway then sends or reads is too old, and the other one has called. */
const pastClaimMs = 7_000
const shortlyMs = 1_500

const lost = {
  killed: { kill: 'gateway' },
  stopped: { stop: 'gateway' },
  cut: { cut: 'gateway' },
  silenced: { silence: true },
  'modem-silent': { stop: 'simulator' },
} as const satisfies Record<string, Fault>

/** Longer than the answer of a modem counts, and shorter than the silence after which the cloud takes a gateway for gone. */
const unpressedMs = 3_000

export const gatewayPoints: readonly Point[] = Object.entries(lost).flatMap(([name, fault]) => [
  { name: `first-${name}-unpressed`, when: { unpressedMs }, faults: [fault], forMs: pastClaimMs },
  ...pointsOf(`first-${name}`, everyMoment, [fault], at =>
    ungranted.includes(at) ? pastClaimMs : shortlyMs,
  ),
])
