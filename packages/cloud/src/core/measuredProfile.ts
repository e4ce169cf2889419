// The part of a measured profile that holds for the calling gateway: all of it only for the gateway that measured it.

import type { CalibrationDoubt } from '@callgate/contract/call/calibrationWords'
import { type CallProfile, callProfile } from '@callgate/contract/call/callProfile'

/** The gateway that makes a call, or made the calls of a calibration. Null: nobody knows the model or the mobile network. */
export interface CallingGateway {
  readonly gatewayId: string
  readonly modem: string | null
  readonly operator: string | null
}

/** The gateway that measured a profile, as it is stored with the gate. */
export interface KeptOrigin extends CallingGateway {
  readonly at: string
  /** The doubts about the profile that were already reported, from later calls. */
  readonly told?: readonly CalibrationDoubt[]
}

/** The model without the firmware: an update of the firmware changes no call. */
export const modelOf = (modem: string | null) => modem?.split(' ')[0] ?? null

/** Whether the calls of both take the same way to a gate, as far as is known. */
export const isSameGateway = (one: CallingGateway, other: CallingGateway) =>
  one.gatewayId === other.gatewayId &&
  modelOf(one.modem) === modelOf(other.modem) &&
  one.operator === other.operator

/**
 * The profile for a call by `caller`; `measurer` is the gateway that measured it, or undefined where that is not recorded.
 * Whether ringing is reported, and how soon, depends on the modem and the networks between. So for another caller nothing counts
 * as measured, and times that were taken without ringing do not count at all. What the module does with the call stays.
 */
export function profileFor(
  profile: CallProfile,
  measurer: CallingGateway | undefined,
  caller: CallingGateway,
): CallProfile {
  if (!profile.learned || !measurer || isSameGateway(measurer, caller)) return profile
  if (!profile.silentAlerting) return { ...profile, learned: false }
  const { reactMaxMs, reactMinMs } = callProfile({ mode: profile.mode })
  return { ...profile, learned: false, silentAlerting: false, reactMinMs, reactMaxMs }
}
