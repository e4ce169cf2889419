// Random differences between networks and gates: when a network gives up a call, and with what tokens.

import type { CallMode } from '@callgate/contract/call/callProfile'
import type { Ending } from '@callgate/simulator/core/farEnd'
import { type ModelName, modelNames, models } from '@callgate/simulator/core/model'
import { type FarEndName, farEndNames, farEndOf, type ModemFaultName } from '@callgate/simulator/presets'
import type { SimulatedGate } from '@callgate/simulator/simulatedGates'
import { fakeWorld } from '@callgate/world/fake'

export interface Variation {
  /** The differences of the gate and its network from the far end's preset. */
  readonly gate: Partial<SimulatedGate>
  /** The profile says that calibration saw a gate open with NO ANSWER. */
  readonly noAnswerOpens: boolean
  /** Mode ring: how long the gate is rung. Some networks give up earlier. */
  readonly ringHangupMs: number
  /** Whether this model reports causes. */
  readonly tellsCauses: boolean
}

const tokens = ['BUSY', 'NO CARRIER', 'NO ANSWER'] as const
/** 0: no cause. The others are causes of 3GPP TS 24.008 for a reject, and for a call that nobody took. */
export const rejectCauses = [0, 16, 17, 21, 31]
const giveUpCauses = [0, 16, 17, 18, 19, 31, 102]

/** Only even seeds differ from the presets. */
export const isVaried = (seed: number) => seed % 2 === 0

/** In every eighth seed the modem lists no calls; in another eighth it leaves one list unanswered. */
export function faultsOf(seed: number): readonly ModemFaultName[] {
  if (seed % 8 === 4) return ['clcc_always_empty']
  return seed % 8 === 0 ? ['clcc_unanswered_once'] : []
}

/** The same arguments give the same variation. Ring limits are 10 to 90 s, to the millisecond, so they hardly ever equal a limit of ours. */
export function variationOf(name: FarEndName, model: ModelName, mode: CallMode, seed: number): Variation {
  const tellsCauses = models[model].causes !== 'none'
  if (!isVaried(seed)) return { gate: {}, noAnswerOpens: false, ringHangupMs: 12_000, tellsCauses }
  const place = farEndNames.indexOf(name) * modelNames.length + modelNames.indexOf(model)
  const draw = fakeWorld(seed * 100_003 + place * 7 + mode.length)
  const pick = <T>(from: readonly T[]): T => {
    const chosen = from[draw.randomInt(0, from.length - 1)]
    if (chosen === undefined) throw new Error('nothing to choose from')
    return chosen
  }
  const ending = (causes: readonly number[]): Ending => ({ token: pick(tokens), cause: pick(causes) })
  const farEnd = farEndOf(name)
  const module = farEnd.way === 'rings' ? farEnd.module : undefined
  const rejectsWith = ending(rejectCauses)
  const isReject = module?.reaction === 'reject' && module.firesRelay
  const gate = {
    rejectsWith,
    ringLimitMs: draw.randomInt(10_000, 90_000),
    givesUpWith: ending(giveUpCauses),
    voicemailAfterMs: draw.randomInt(5_000, 40_000),
    ...(module?.ringMs === undefined ? {} : { ringMs: draw.randomInt(5_000, 35_000) }),
  }
  // A calibration finds it at a gate that opens. At a gate that does not open, the profile belongs to the gate's former module.
  const noAnswerOpens = isReject ? rejectsWith.token === 'NO ANSWER' : draw.randomInt(0, 1) === 1
  return { gate, noAnswerOpens, ringHangupMs: draw.randomInt(12_000, 45_000), tellsCauses }
}
