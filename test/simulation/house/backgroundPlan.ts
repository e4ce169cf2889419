// Plans what happens beside the presses: models of modems, tasks of the cloud, calibrations, and lines typed in a console.

import { consoleLines } from '@callgate/modem/core/consoleLine'
import { type ModelName, modelNames } from '@callgate/simulator/core/model'
import { modelFaults } from '@callgate/simulator/modelFaults'
import type { ModemFaultName } from '@callgate/simulator/presets'
import { familyFaults } from './chip.ts'
import { type Draw, pick } from './draw.ts'
import { type HouseGate, modulePassword } from './furnish.ts'
import type { Plan } from './plan.ts'
import type { moreUssdAnswers } from './simCardPlan.ts'

/** How the network answers a USSD code. */
export const ussdAnswers = [
  'ussd_silent',
  'ussd_menu',
  'ussd_refused',
  'ussd_timed_out',
  'ussd_ucs2',
  'ussd_lines',
  'ussd_late',
  'ussd_unconfirmed',
  'ussd_holds_calls',
] as const satisfies readonly ModemFaultName[]
export type UssdAnswer = (typeof ussdAnswers)[number]

/** The faults of messages at the modem. */
const smsTroubles = [
  'sms_no_prompt',
  'sms_late_prompt',
  'sms_refused',
  'sms_lost_ok',
  'sms_card_busy',
  'sms_lost_read',
] as const satisfies readonly ModemFaultName[]
export type NetworkTrouble = UssdAnswer | (typeof moreUssdAnswers)[number] | (typeof smsTroubles)[number]

/** How a person calibrates a gate. */
export interface Calibrating {
  readonly gate: number
  /** The person leaves after this time, whatever is still to do. */
  readonly leavesAfterMs: number
  /** Whether the person ends the calibration before leaving. */
  readonly ends: boolean
  /** Whether the call with the hidden number is made, too. */
  readonly hides: boolean
}

export type BackgroundAction =
  | { readonly kind: 'ask balance'; readonly gateway: number }
  | { readonly kind: 'network'; readonly gateway: number; readonly answers: NetworkTrouble | undefined }
  | { readonly kind: 'send message'; readonly gateway: number; readonly gate: number }
  | { readonly kind: 'type'; readonly gateway: number; readonly line: string }
  | ({ readonly kind: 'calibrate' } & Calibrating)
  | { readonly kind: 'end calibration'; readonly gate: number }

/** The faults, by the names under which they are counted. */
export const backgroundFaults: readonly string[] = [
  ...[...ussdAnswers, ...smsTroubles].map(answer => `network: ${answer}`),
  'opening while a task runs',
  'gateway killed in a task',
  'cloud killed in a task',
  'calibration accepted',
  'calibration left',
  'calibration ended',
  'press of a member in a calibration',
  'line typed in the console',
]

type Timed = Plan['actions'][number]
type Pressing = Timed & { readonly kind: 'press' }

/** The modems that a gateway can have. `listless` is never ready: it cannot list its calls. */
const usable = modelNames.filter(model => model !== 'listless')

const usual: ModelName = 'sim800'

/** In most seeds all modems are the usual ones. */
function modelsOf(draw: Draw, gateways: number): readonly ModelName[] {
  const areMixed = draw.random() < 0.4
  return Array.from({ length: gateways }, () => (areMixed ? pick(draw, usable) : usual))
}

/** A fault that only this model has, for up to 40 s around a press. */
function ownFaultOf(draw: Draw, gateway: number, model: ModelName, pressedMs: number): readonly Timed[] {
  const own = familyFaults.filter(fault => modelFaults[model].includes(fault))
  if (model === usual || own.length === 0 || draw.random() < 0.5) return []
  const atMs = Math.max(0, pressedMs - draw.randomInt(0, 5_000))
  return [
    { kind: 'chip', atMs, gateway, fault: pick(draw, own) },
    { kind: 'chip', atMs: atMs + draw.randomInt(10_000, 40_000), gateway, fault: undefined },
  ]
}

/** Lines that a console must refuse. */
const refusedLines = [
  'ATD+40722000001;',
  'atd+40722000001;',
  ' AtD112;',
  'AT+CSQ;D+40722000001;',
  'AT+CSQ;+CUSD=1,"*100#",15',
  'A/',
  'a/',
  'ATDL',
  'ATD>1;',
  'ATH',
  'AT+CHUP',
  'AT+CFUN=1,1',
  'AT+CUSD=1,"*21#",15',
] as const

function typingOf(draw: Draw, atMs: number, gateway: number): readonly Timed[] {
  return Array.from({ length: draw.randomInt(2, 8) }, () => ({
    kind: 'type' as const,
    atMs: Math.max(0, atMs + draw.randomInt(-2_000, 12_000)),
    gateway,
    line: draw.random() < 0.4 ? pick(draw, refusedLines) : pick(draw, consoleLines),
  }))
}

/** Kills the cloud, or one of several, and starts it again. */
export type CloudKill<More> = (draw: Draw, atMs: number, startMs: number) => readonly (Timed | More)[]

/** Kills a process while a task may run, and starts it again within 20 s. */
function killIn<More>(draw: Draw, atMs: number, gateway: number, killCloud: CloudKill<More>) {
  const startMs = atMs + draw.randomInt(500, 20_000)
  if (draw.random() < 0.5) return killCloud(draw, atMs, startMs)
  return [
    { kind: 'kill gateway', atMs, gateway, steps: draw.randomInt(0, 20) },
    { kind: 'start gateway', atMs: startMs, gateway, leftover: 'kept' },
  ] as const
}

function answersOf(draw: Draw): UssdAnswer | undefined {
  if (draw.random() < 0.3) return undefined
  return draw.random() < 0.4 ? 'ussd_silent' : pick(draw, ussdAnswers)
}

/** Tasks are requested just before a press, at it, or during its call; somebody presses again while they may run. */
function tasksOf<More>(
  draw: Draw,
  presses: readonly Pressing[],
  gateways: number,
  killCloud: CloudKill<More>,
): readonly (Timed | More)[] {
  return Array.from({ length: draw.randomInt(1, 4) }, () => pick(draw, presses)).flatMap(press => {
    const gateway = draw.randomInt(0, gateways - 1)
    const atMs = Math.max(0, press.atMs + draw.randomInt(-6_000, 6_000))
    return [
      { kind: 'network', atMs, gateway, answers: answersOf(draw) } as const,
      { kind: 'ask balance', atMs, gateway } as const,
      ...(draw.random() < 0.5 ? [{ ...press, atMs: atMs + draw.randomInt(500, 8_000) }] : []),
      ...(draw.random() < 0.25 ? killIn(draw, atMs + draw.randomInt(500, 5_000), gateway, killCloud) : []),
      ...(draw.random() < 0.2 ? typingOf(draw, atMs, gateway) : []),
    ]
  })
}

/** The module of a gate that obeys messages, with its own answer and delay. */
export const listeningOf = (draw: Draw): NonNullable<HouseGate['listens']> => ({
  brand: 'rtu5024',
  password: modulePassword,
  answersAfterMs: pick(draw, [4_000, 12_000, 60_000, 150_000]),
  ...(draw.random() < 0.5 && { answers: pick(draw, ['ucs2', 'parts', 'fromOtherNumber', 'never'] as const) }),
})

/** Messages are sent before or beside a press, so that a call runs during the wait for their answer. */
function messagesOf<More>(
  draw: Draw,
  presses: readonly Pressing[],
  gateways: number,
  killCloud: CloudKill<More>,
): readonly (Timed | More)[] {
  const lastMs = presses.reduce((latestMs, { atMs }) => Math.max(latestMs, atMs), 0)
  return Array.from({ length: draw.randomInt(1, 3) }, () => pick(draw, presses)).flatMap(press => {
    const gateway = draw.randomInt(0, gateways - 1)
    // No message is accepted while its gate or gateway opens, so some are sent when most openings have ended.
    const besideMs = draw.random() < 0.4 ? press.atMs - 12_000 : lastMs + 30_000
    const atMs = Math.max(0, besideMs + draw.randomInt(0, 30_000))
    const answers = draw.random() < 0.3 ? undefined : pick(draw, smsTroubles)
    return [
      { kind: 'network', atMs, gateway, answers } as const,
      { kind: 'send message', atMs, gateway, gate: press.gate } as const,
      ...(draw.random() < 0.7 ? [{ ...press, atMs: atMs + draw.randomInt(0, 30_000) }] : []),
      ...(draw.random() < 0.25 ? killIn(draw, atMs + draw.randomInt(500, 30_000), gateway, killCloud) : []),
    ]
  })
}

/** The longest time that a person calibrates: three calls of a gate that rings on, and the pauses between them. */
const calibratesMs = [20_000, 280_000] as const

/** A person calibrates a gate; meanwhile the calibration may be ended, or a second person may come to calibrate the same gate. */
function calibrationsOf(draw: Draw, gates: number): readonly Timed[] {
  const gate = draw.randomInt(0, gates - 1)
  const atMs = draw.randomInt(0, 30_000)
  const [leastMs, mostMs] = calibratesMs
  const person = (leavesAfterMs: number): Calibrating => ({
    gate,
    leavesAfterMs,
    ends: draw.random() < 0.3,
    hides: draw.random() < 0.3,
  })
  const first = person(draw.random() < 0.7 ? mostMs : draw.randomInt(leastMs, mostMs))
  const actions: Timed[] = [{ kind: 'calibrate', atMs, ...first }]
  if (draw.random() < 0.3)
    actions.push({ kind: 'end calibration', atMs: atMs + draw.randomInt(1_000, 40_000), gate })
  if (draw.random() < 0.3)
    actions.push({ kind: 'calibrate', atMs: atMs + draw.randomInt(0, 40_000), ...person(mostMs) })
  return actions
}

type Drawn<More> = Pick<Plan, 'gates' | 'gateways' | 'healedAtMs'> & {
  readonly actions: readonly (Timed | More)[]
}

/**
 * The plan with its background tasks. They are drawn after everything else, so that they change nothing in the rest of a seed;
 * most seeds have none of them.
 */
export function withBackground<
  More extends { readonly kind: string; readonly atMs: number },
  P extends Drawn<More>,
>(draw: Draw, plan: P, killCloud: CloudKill<More>) {
  const { gates, gateways } = plan
  const presses = plan.actions.filter((action): action is Pressing => action.kind === 'press')
  const models = modelsOf(draw, gateways)
  const more: (Timed | More)[] = models.flatMap((model, gateway) =>
    ownFaultOf(draw, gateway, model, pick(draw, presses).atMs),
  )
  if (draw.random() < 0.25) more.push(...tasksOf(draw, presses, gateways, killCloud))
  if (draw.random() < 0.1) more.push(...calibrationsOf(draw, gates.length))
  const hasMessages = draw.random() < 0.2
  if (hasMessages) more.push(...messagesOf(draw, presses, gateways, killCloud))
  const listening = gates.map(gate => (hasMessages ? { ...gate, listens: listeningOf(draw) } : gate))
  const actions = [...plan.actions, ...more].sort((a, b) => a.atMs - b.atMs)
  const lastMs = more.reduce((latestMs, { atMs }) => Math.max(latestMs, atMs), 0)
  return { ...plan, gates: listening, models, actions, healedAtMs: Math.max(plan.healedAtMs, lastMs) }
}

/** Whether the plan has any task. */
export const asksTasks = (actions: readonly { readonly kind: string }[]) =>
  actions.some(({ kind }) => kind === 'ask balance' || kind === 'send message')
