// Decides which gateways may call a gate, and in which order they are asked.

import type { GateCaller, GateCallers } from '@callgate/contract/call/gateCallers'
import { rowOf } from '@callgate/contract/call/reasonRows'

/** The settings of a gateway for which nothing is set. */
export const usualCaller: GateCaller = { mayCall: true, numberKnown: 'unknown' }

export const callerOf = (callers: GateCallers, gatewayId: string): GateCaller =>
  Object.hasOwn(callers, gatewayId) ? (callers[gatewayId] ?? usualCaller) : usualCaller

/** Whether a gateway calls the gate. Its call is useless where the gate's module does not know its number. */
export function callsGate(callers: GateCallers, gatewayId: string): boolean {
  const { mayCall, numberKnown } = callerOf(callers, gatewayId)
  return mayCall && numberKnown !== 'no'
}

/** Where a gateway failed lately by its own fault: in a call to this gate, in one to another gate, or (undefined) nowhere. */
export type FailedAt = 'here' | 'elsewhere' | undefined

/**
 * The gateways of `online` that call the gate, in the order in which they are asked. Those whose numbers are known there come
 * first; otherwise the given order is kept. A gateway that failed at this gate comes last: another one with an unknown number is
 * likelier to open the gate. A gateway that failed elsewhere comes after the others with known numbers, but before those with
 * unknown numbers: the cause may have been the other number or its network, and a module opens for no unknown caller.
 */
export function inCallingOrder(
  online: readonly string[],
  callers: GateCallers,
  failedAt: (gatewayId: string) => FailedAt = () => undefined,
): readonly string[] {
  const rank = (gatewayId: string) => {
    const failed = failedAt(gatewayId)
    const isKnown = callerOf(callers, gatewayId).numberKnown === 'yes'
    return (failed === 'here' ? 4 : 0) + (isKnown ? 0 : 2) + (failed === 'elsewhere' ? 1 : 0)
  }
  return online
    .filter(gatewayId => callsGate(callers, gatewayId))
    .toSorted((one, other) => rank(one) - rank(other))
}

/** Whether a call failed because of its gateway, and not of the gate. The gateway's next call is then likely to fail again. */
export const isFaultOfGateway = (reason: string | null): boolean => rowOf(reason)?.fault === 'gateway'

/** The callers with the settings `caller` for `gatewayId`. */
export const withCaller = (callers: GateCallers, gatewayId: string, caller: GateCaller): GateCallers => ({
  ...callers,
  [gatewayId]: caller,
})

/** The callers after a call of `gatewayId` that has opened the gate. Undefined: no change. */
export function afterOpening(callers: GateCallers, gatewayId: string): GateCallers | undefined {
  const caller = callerOf(callers, gatewayId)
  if (caller.numberKnown !== 'unknown') return undefined
  return withCaller(callers, gatewayId, { ...caller, numberKnown: 'yes' })
}

/** The callers after the gateway got another number. Undefined: no change. */
export function withoutNumber(callers: GateCallers, gatewayId: string): GateCallers | undefined {
  const caller = callerOf(callers, gatewayId)
  if (caller.numberKnown === 'unknown') return undefined
  return withCaller(callers, gatewayId, { ...caller, numberKnown: 'unknown' })
}

/** The callers after the gate's number has changed. The module is another one, so nobody knows which numbers it knows. */
export const ofOtherModule = (callers: GateCallers): GateCallers =>
  Object.fromEntries(
    Object.entries(callers).map(([gatewayId, caller]) => [gatewayId, { ...caller, numberKnown: 'unknown' }]),
  )
