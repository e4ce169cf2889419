// Plans faults of the SIM cards and the supply of the modems: messages of strangers, a day's limit, no credit, a weak supply.

import type { ModemFaultName } from '@callgate/simulator/presets'
import { listeningOf } from './backgroundPlan.ts'
import { type Draw, pick } from './draw.ts'
import type { HouseGate } from './furnish.ts'
import type { Plan } from './plan.ts'

/** More answers of the network to a USSD code. */
export const moreUssdAnswers = [
  'ussd_cut',
  'ussd_unasked',
  'ussd_unasked_menu',
] as const satisfies readonly ModemFaultName[]

export type SimCardAction =
  /** A message from somebody who is connected with no gate. */
  | { readonly kind: 'stranger writes'; readonly gateway: number }
  /** The number of the gate sends a message just before the gateway's next one. */
  | { readonly kind: 'gate writes first'; readonly gateway: number; readonly gate: number }
  /** The gateway has sent this many messages earlier in the day. */
  | { readonly kind: 'sent before'; readonly gateway: number; readonly messages: number }
  | { readonly kind: 'credit'; readonly gateway: number; readonly isGone: boolean }
  | { readonly kind: 'supply'; readonly gateway: number; readonly sags: boolean }

/** The faults, by the names under which they are counted. */
export const simCardFaults: readonly string[] = [
  ...moreUssdAnswers.map(answer => `network: ${answer}`),
  'stranger writes while an answer is waited for',
  'gate writes first',
  'message refused by the limit of a day',
  'gateway without credit',
  'supply sags',
]

type Timed = Plan['actions'][number]
type Pressing = Timed & { readonly kind: 'press' }

/** The plan so far. */
interface Before {
  readonly presses: readonly Pressing[]
  readonly gates: number
  readonly gateways: number
}

type Fault = (draw: Draw, before: Before) => readonly Timed[]

/** Some time after the last press: no message is accepted while its gate or gateway opens. */
const quietMs = (draw: Draw, { presses }: Before) =>
  presses.reduce((latestMs, { atMs }) => Math.max(latestMs, atMs), 0) + draw.randomInt(15_000, 60_000)

const strangersOf: Fault = (draw, before) => {
  const gateway = draw.randomInt(0, before.gateways - 1)
  const gate = draw.randomInt(0, before.gates - 1)
  const atMs = quietMs(draw, before)
  return [
    { kind: 'network', atMs, gateway, answers: draw.random() < 0.3 ? 'sms_lost_ok' : undefined },
    ...(draw.random() < 0.6 ? [{ kind: 'gate writes first', atMs, gateway, gate } as const] : []),
    { kind: 'send message', atMs, gateway, gate },
    ...Array.from({ length: draw.randomInt(1, 3) }, () => ({
      kind: 'stranger writes' as const,
      atMs: atMs + draw.randomInt(0, 15_000),
      gateway,
    })),
  ]
}

/** Each of these may be one too many, even after a restart of the daemon. */
const dayLimitOf: Fault = (draw, before) => {
  const gateway = draw.randomInt(0, before.gateways - 1)
  const gate = draw.randomInt(0, before.gates - 1)
  const firstMs = quietMs(draw, before)
  const restartMs = firstMs + draw.randomInt(0, 60_000)
  return [
    { kind: 'sent before', atMs: 0, gateway, messages: draw.randomInt(18, 20) },
    ...[0, 40_000, 80_000].map(afterMs => ({
      kind: 'send message' as const,
      atMs: firstMs + afterMs,
      gateway,
      gate,
    })),
    ...(draw.random() < 0.5 ? [{ kind: 'restart gateway', atMs: restartMs, gateway } as const] : []),
  ]
}

const ussdOf: Fault = (draw, before) => {
  const gateway = draw.randomInt(0, before.gateways - 1)
  const press = pick(draw, before.presses)
  const atMs = Math.max(0, press.atMs + draw.randomInt(-8_000, 30_000))
  return [
    { kind: 'network', atMs, gateway, answers: pick(draw, moreUssdAnswers) },
    { kind: 'ask balance', atMs, gateway },
    ...(draw.random() < 0.5
      ? [{ kind: 'ask balance', atMs: atMs + draw.randomInt(10_000, 50_000), gateway } as const]
      : []),
    ...(draw.random() < 0.5 ? [{ ...press, atMs: atMs + draw.randomInt(500, 8_000) }] : []),
  ]
}

/** One of two gateways has no credit left, and somebody presses again and again. */
const creditOf: Fault = (draw, before) => {
  if (before.gateways < 2) return []
  const gateway = draw.randomInt(0, before.gateways - 1)
  const press = pick(draw, before.presses)
  const again = (afterMs: number) => ({ ...press, atMs: press.atMs + afterMs, guest: undefined })
  return [
    { kind: 'credit', atMs: press.atMs, gateway, isGone: true },
    again(draw.randomInt(15_000, 30_000)),
    again(draw.randomInt(35_000, 60_000)),
    { kind: 'credit', atMs: press.atMs + draw.randomInt(40_000, 90_000), gateway, isGone: false },
  ]
}

const supplyOf: Fault = (draw, before) => {
  const gateway = draw.randomInt(0, before.gateways - 1)
  const { atMs } = pick(draw, before.presses)
  return [
    { kind: 'supply', atMs, gateway, sags: true },
    { kind: 'supply', atMs: atMs + draw.randomInt(10_000, 60_000), gateway, sags: false },
  ]
}

/** Each with its share among the seeds that have any of them. */
const faults: readonly (readonly [share: number, faultOf: Fault])[] = [
  [0.35, strangersOf],
  [0.3, dayLimitOf],
  [0.4, ussdOf],
  [0.6, creditOf],
  [0.4, supplyOf],
]
const seedsWithAny = 0.25

/** The plan with the faults of its SIM cards. `draw` is a stream of its own, so that most seeds stay unchanged. */
export function withSimCards<
  More extends { readonly kind: string; readonly atMs: number },
  P extends {
    readonly gates: readonly HouseGate[]
    readonly gateways: number
    readonly healedAtMs: number
    readonly actions: readonly (Timed | More)[]
  },
>(draw: Draw, plan: P): P {
  if (draw.random() >= seedsWithAny) return plan
  const presses = plan.actions.filter((action): action is Pressing => action.kind === 'press')
  const before = { presses, gates: plan.gates.length, gateways: plan.gateways }
  const more = faults.flatMap(([share, faultOf]) => (draw.random() < share ? faultOf(draw, before) : []))
  const hasMessages = more.some(({ kind }) => kind === 'send message')
  return {
    ...plan,
    gates: plan.gates.map(gate => (hasMessages ? { listens: listeningOf(draw), ...gate } : gate)),
    // At the same moment, a fault of a card comes before a request to it.
    actions: [...more, ...plan.actions].sort((a, b) => a.atMs - b.atMs),
    healedAtMs: more.reduce((latestMs, { atMs }) => Math.max(latestMs, atMs), plan.healedAtMs),
  }
}
