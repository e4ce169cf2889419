// Plans gates that confirm their openings by message (SMS), and gates that get too many messages in a day.

import { type Draw, pick } from './draw.ts'
import { confirmationText, type HouseGate, modulePassword } from './furnish.ts'
import type { Plan } from './plan.ts'

/** The faults, by the names under which they are counted. */
export const gateMessageFaults: readonly string[] = [
  'gate confirms by message',
  'message refused by the limit of a gate',
]

type Timed = Plan['actions'][number]

/** The message comes during the wait for it, later (when somebody may have pressed again), or never. */
const confirmsAfterMs = [4_000, 30_000, 90_000, null] as const

/** A gate that rejects, and whose profile says that it confirms. */
function confirmingGate(draw: Draw, gate: HouseGate): HouseGate {
  if (gate.farEnd !== 'reject_busy' && gate.farEnd !== 'reject_no_carrier') return gate
  const confirm = { kind: 'sms', from: null, pattern: null, withinMs: draw.randomInt(2_000, 20_000) } as const
  const afterMs = pick(draw, confirmsAfterMs)
  const confirmation =
    afterMs === null ? {} : { confirmation: { by: 'sms', afterMs, text: confirmationText } as const }
  return { ...gate, ...confirmation, profile: { ...gate.profile, confirm } }
}

/** A module that answers soon, so that the next message can follow. */
const answering: NonNullable<HouseGate['listens']> = {
  brand: 'rtu5024',
  password: modulePassword,
  answersAfterMs: 4_000,
}

/** More messages than a gate may get in a day, from each of its gateways in turn, long after the last press. */
function tooManyOf(draw: Draw, { actions, gates, gateways }: Pick<Plan, 'gates' | 'gateways'> & Drawn) {
  const gate = draw.randomInt(0, gates.length - 1)
  const quietMs = actions.reduce((latestMs, { atMs }) => Math.max(latestMs, atMs), 0) + 30_000
  return Array.from({ length: 8 }, (_, place) => ({
    kind: 'send message' as const,
    atMs: quietMs + place * 25_000 + draw.randomInt(0, 5_000),
    gateway: place % gateways,
    gate,
  }))
}

interface Drawn {
  readonly actions: readonly { readonly kind: string; readonly atMs: number }[]
}

const seedsThatConfirm = 0.12
const seedsWithTooMany = 0.04

/** The plan with such gates. `draw` is a stream of its own, so that the other seeds stay unchanged. */
export function withGateMessages<
  More extends { readonly kind: string; readonly atMs: number },
  P extends {
    readonly gates: readonly HouseGate[]
    readonly gateways: number
    readonly healedAtMs: number
    readonly actions: readonly (Timed | More)[]
  },
>(draw: Draw, plan: P): P {
  const confirms = draw.random() < seedsThatConfirm
  const gates = plan.gates.map(gate => (confirms ? confirmingGate(draw, gate) : gate))
  if (draw.random() >= seedsWithTooMany) return { ...plan, gates }
  const more = tooManyOf(draw, plan)
  return {
    ...plan,
    gates: gates.map(gate => ({ ...gate, listens: answering })),
    actions: [...plan.actions, ...more],
    healedAtMs: more.reduce((latestMs, { atMs }) => Math.max(latestMs, atMs), plan.healedAtMs),
  }
}
