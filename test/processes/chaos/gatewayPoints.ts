// The named points of two gateways for one gate: at each moment the gateway that is asked first fails in some way.

import { everyMoment, type Fault, type MomentName, type Point, pointsOf } from './points.ts'

/** The moments at which the opening is not granted yet. */
const ungranted: readonly MomentName[] = [
  'accepted',
  'before-hint',
  'after-hint',
  'before-claim',
  'after-claim',
]

/** Longer than a claim is valid. All that the lost gateway then sends or reads is too old, and the other one has called. */
const pastClaimMs = 7_000
const shortlyMs = 1_500

const lost = {
  killed: { kill: 'gateway' },
  stopped: { stop: 'gateway' },
  cut: { cut: 'gateway' },
  silenced: { silence: true },
  'modem-silent': { stop: 'simulator' },
} as const satisfies Record<string, Fault>

/** Longer than a modem's answer is valid, and shorter than the silence after which a gateway shows as offline. */
const unpressedMs = 3_000

export const gatewayPoints: readonly Point[] = Object.entries(lost).flatMap(([name, fault]) => [
  { name: `first-${name}-unpressed`, when: { unpressedMs }, faults: [fault], forMs: pastClaimMs },
  ...pointsOf(`first-${name}`, everyMoment, [fault], at =>
    ungranted.includes(at) ? pastClaimMs : shortlyMs,
  ),
])
