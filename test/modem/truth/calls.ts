// The calls of the truth matrix: for each, what the relay did and what the driver reported.

import type { CallMode, CallProfile } from '@callgate/contract/call/callProfile'
import {
  type CallProfile as ContractProfile,
  callModes,
  callProfile,
} from '@callgate/contract/call/callProfile'
import type { CallVerdict, Evidence } from '@callgate/contract/call/verdict'
import { createModem, type DialResult, type Modem, type Recording } from '@callgate/modem/modem'
import type { FarEnd } from '@callgate/simulator/core/farEnd'
import type { ModelName } from '@callgate/simulator/core/model'
import { modelFaults } from '@callgate/simulator/modelFaults'
import { type FarEndName, farEndNames, farEndOf, type ModemFaultName } from '@callgate/simulator/presets'
import { lineTo, usualSimulator } from '@callgate/simulator/usual.kit'
import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { faultsOf, rejectCauses, type Variation, variationOf } from './variation.ts'

/** One call of the matrix. */
export interface TruthCall {
  readonly farEnd: FarEndName
  readonly model: ModelName
  /** The modem's faults after its set-up. */
  readonly faults: readonly ModemFaultName[]
  readonly mode: CallMode
  readonly seed: number
  /** The profile treats NO ANSWER as this gate's reject. */
  readonly noAnswerOpens: boolean
  /** Whether the relay moved for this call. */
  readonly hasMoved: boolean
  readonly verdict: CallVerdict
  /** All signs of the call on the line, without exact times. */
  readonly trace: string
}

/** Far ends where an opening looks like no opening. A calibration with an unknown number finds that. */
const alike: readonly FarEndName[] = [
  'reject_without_opening',
  'ring_opens',
  'ring_forever',
  'advent_a302',
  'advent_a302_reject_open',
]

const usualRingTimeMs = 20_000

/** The time from ringing to the end of the call that a calibration measures at a gate of that mode. */
const windows: Readonly<Record<CallMode, (ringTimeMs: number) => Partial<ContractProfile>>> = {
  reject: () => ({ reactMinMs: 500, reactMaxMs: 8_000 }),
  reject_delayed: ringTimeMs => ({
    ringTimeMs,
    reactMinMs: ringTimeMs - 2_000,
    reactMaxMs: ringTimeMs + 3_000,
  }),
  answer_release: () => ({ reactMinMs: 1_500, reactMaxMs: 9_000 }),
  answer_hold: () => ({ reactMinMs: 1_500, reactMaxMs: 9_000 }),
  ring: () => ({}),
  unverified: () => ({}),
}

/**
 * Whether the network gives up inside the window, with the tokens of a reject. A call from an unknown number then looks the same.
 */
function givesUpAlike(
  { gate, noAnswerOpens, tellsCauses }: Variation,
  window: Partial<ContractProfile>,
): boolean {
  const { givesUpWith, ringLimitMs } = gate
  const { reactMinMs = 0, reactMaxMs = 0 } = window
  if (!givesUpWith || ringLimitMs === undefined) return false
  const isInside = ringLimitMs >= reactMinMs - 1_000 && ringLimitMs <= reactMaxMs + 1_000
  const isRejectLike =
    givesUpWith.token === 'NO ANSWER'
      ? noAnswerOpens
      : !tellsCauses || rejectCauses.includes(givesUpWith.cause)
  return isInside && isRejectLike
}

/** The profile that a calibration in `mode` gives this far end. */
export function learnedProfile(name: FarEndName, mode: CallMode, variation: Variation): CallProfile {
  const farEnd: FarEnd = farEndOf(name)
  const module = farEnd.way === 'rings' ? farEnd.module : undefined
  const by = name === 'sms_confirmation_missing' ? 'sms' : module?.confirmation?.by
  const window = windows[mode](variation.gate.ringMs ?? module?.ringMs ?? usualRingTimeMs)
  const isAlike = alike.includes(name) || givesUpAlike(variation, window)
  return callProfile({
    ...window,
    mode,
    ringHangupMs: variation.ringHangupMs,
    ...(variation.noAnswerOpens && { noAnswerOpens: true }),
    rejectDiverts: farEnd.way === 'rings' && farEnd.divertsRejected !== undefined,
    learned: mode !== 'unverified',
    discriminating: mode !== 'unverified' && !isAlike,
    confirm:
      by === undefined
        ? null
        : { kind: by === 'sms' ? 'sms' : 'callback', from: null, pattern: null, withinMs: 20_000 },
  })
}

const ringingRangeMs = 5_000
const isConfirmed = (event: string) => event.startsWith('confirmed')

/** The call states up to our hang-up, services, confirmation, end token, cause, and the ringing time in steps of 5 s. */
function traceOf(verdict: CallVerdict, evidence: Evidence): string {
  const events = evidence.events.map(({ event }) => event)
  const hangUp = events.findIndex(event => event.startsWith('ATH'))
  const heard = hangUp < 0 ? events : [...events.slice(0, hangUp + 1), ...events.filter(isConfirmed)]
  const signs = heard.flatMap(event => /^(?:CLCC \d|CSSI \d|confirmed|ATH)/.exec(event)?.[0] ?? [])
  const { cause, endToken, ringMs } = verdict
  const ringing = ringMs === null ? null : Math.floor(ringMs / ringingRangeMs)
  return JSON.stringify([[...new Set(signs)], endToken, cause, ringing])
}

async function call(world: FakeWorld, modem: Modem, phoneNumber: string, profile: CallProfile) {
  await world.until(() => modem.status().state === 'ready')
  let result: DialResult | undefined
  const reserved = modem.reserve().then(async reservation => {
    if (!reservation.ok) throw new Error(`seed ${world.seed}: not reserved, ${reservation.reason}`)
    result = await modem.dial({ phoneNumber, profile, mayDial: () => true, onProgress: () => {} })
  })
  await world.until(() => result !== undefined)
  await reserved
  if (!result?.dialled) throw new Error(`seed ${world.seed}: not dialled, ${result?.why}`)
  return result
}

/** Calls to several gates on one modem, one directly after the other. */
export interface Turn {
  readonly model: ModelName
  readonly seed: number
  /** The modem's faults after its set-up. */
  readonly faults?: readonly ModemFaultName[]
  /** The profiles were measured when the route still reported ringing. */
  readonly isProfileOlder?: boolean
  readonly gates: readonly { readonly mode: CallMode; readonly farEnd: FarEndName }[]
  /** Gets what went over the modem's line. */
  readonly onRecording?: (recording: Recording) => void
}

/** Calls each gate as soon as the modem can be reserved. The same seed gives the same calls. */
export async function callsInTurn({
  model,
  seed,
  faults = [],
  gates,
  isProfileOlder = false,
  onRecording,
}: Turn): Promise<readonly TruthCall[]> {
  const world = fakeWorld(seed, 1)
  const numbered = gates.map(({ farEnd, mode }, place) => {
    const variation = variationOf(farEnd, model, mode, seed)
    return { farEnd, mode, variation, phoneNumber: `+4072200000${place}` }
  })
  const simulator = usualSimulator({
    world,
    seed,
    network: 'normal',
    model,
    gates: numbered.map(({ farEnd, phoneNumber, variation }) => ({ ...variation.gate, farEnd, phoneNumber })),
  })
  const modem = createModem({
    world,
    baudRate: 115_200,
    openLine: lineTo(simulator),
  })
  modem.start()
  await world.until(() => modem.status().state === 'ready', 300_000)
  simulator.setFaults(faults)
  const calls: TruthCall[] = []
  for (const { farEnd, mode, phoneNumber, variation } of numbered) {
    // A calibration on such a modem or route finds it.
    const isFound = mode !== 'unverified' && !isProfileOlder
    const silentAlerting = faults.includes('silent_alerting') && isFound
    const profile = { ...learnedProfile(farEnd, mode, variation), silentAlerting }
    const { evidence, verdict } = await call(world, modem, phoneNumber, profile)
    const placed = simulator.state().calls.filter(one => one.phoneNumber === phoneNumber)
    if (placed.length !== 1) throw new Error(`seed ${seed}: ${placed.length} calls to one gate`)
    const hasMoved = placed[0]?.relayFired === true
    const noAnswerOpens = variation.noAnswerOpens && mode !== 'unverified'
    const trace = traceOf(verdict, evidence)
    calls.push({ farEnd, model, faults, mode, seed, noAnswerOpens, hasMoved, verdict, trace })
  }
  simulator.stop()
  onRecording?.(modem.recording())
  return calls
}

/** One call in each mode to gates of that far end, on a new modem; `fault`: one that the modem has all the time. */
export function truthCalls(
  farEnd: FarEndName,
  model: ModelName,
  seed: number,
  fault?: ModemFaultName,
): Promise<readonly TruthCall[]> {
  return callsInTurn({
    model,
    seed,
    faults: fault === undefined ? faultsOf(seed) : [fault],
    gates: callModes.map(mode => ({ mode, farEnd })),
  })
}

export interface Matrix {
  /** Absent: those of the page. */
  readonly models?: readonly ModelName[]
  /** The faults of each model, one after the other, in place of a healthy modem. */
  readonly withFaults?: boolean
  readonly seeds: number
  /** The first seed; absent: 1. */
  readonly from?: number
}

/** One model of each kind: the others differ from it only in their identity. */
export const pageModels: readonly ModelName[] = ['sim800', 'sim7600', 'a7672', 'ec25', 'standard']

/** Every far end in every mode on every model, by a list of seeds. */
export async function truthMatrix({
  models = pageModels,
  withFaults = false,
  seeds,
  from = 1,
}: Matrix): Promise<readonly TruthCall[]> {
  const calls: TruthCall[] = []
  for (const model of models)
    for (const fault of withFaults ? modelFaults[model] : [undefined])
      for (const farEnd of farEndNames)
        for (let seed = from; seed < from + seeds; seed++)
          calls.push(...(await truthCalls(farEnd, model, seed, fault)))
  return calls
}
