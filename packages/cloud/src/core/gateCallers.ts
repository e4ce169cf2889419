// Which gateways may call a gate, and which of them is asked first.

import type { GateCaller, GateCallers } from '@callgate/contract/call/gateCallers'
import { rowOf } from '@callgate/contract/call/reasonRows'

/** What holds for a gateway for which nothing is set. */
export const usualCaller: GateCaller = { mayCall: true, numberKnown: 'unknown' }

export const callerOf = (callers: GateCallers, gatewayId: string): GateCaller =>
  Object.hasOwn(callers, gatewayId) ? (callers[gatewayId] ?? usualCaller) : usualCaller

/** Whether a gateway calls the gate. Its call is useless where the gate's module does not know its number. */
export function callsGate(callers: GateCallers, gatewayId: string): boolean {
  const { mayCall, numberKnown } = callerOf(callers, gatewayId)
  return mayCall && numberKnown !== 'no'
}

/** Where a gateway failed lately by a fault of its own: when it called this gate, or another one; undefined: nowhere. */
export type FailedAt = 'here' | 'elsewhere' | undefined

/**
 * Those of `online` that call the gate: whose numbers are known there first, and otherwise in the order given. One that failed
 * here comes last: another gateway whose number nobody knows is likelier to open the gate. One that failed elsewhere comes
 * after others that are known as well as it is, but before those that are not: what failed there may have been that number or
 * its network, and a module that does not know the caller opens for nobody.
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

/** Whether a call failed by its gateway, and not by the gate: its next call is likely to fail again. */
export const isFaultOfGateway = (reason: string | null): boolean => rowOf(reason)?.fault === 'gateway'

/** The callers where `gatewayId` is as `caller` says. */
export const withCaller = (callers: GateCallers, gatewayId: string, caller: GateCaller): GateCallers => ({
  ...callers,
  [gatewayId]: caller,
})

/** The callers after a call of `gatewayId` that has opened the gate. Undefined: they stay as they are. */
export function afterOpening(callers: GateCallers, gatewayId: string): GateCallers | undefined {
  const caller = callerOf(callers, gatewayId)
  if (caller.numberKnown !== 'unknown') return undefined
  return withCaller(callers, gatewayId, { ...caller, numberKnown: 'yes' })
}

/** The callers after the gateway got another number. Undefined: they stay as they are. */
export function withoutNumber(callers: GateCallers, gatewayId: string): GateCallers | undefined {
  const caller = callerOf(callers, gatewayId)
  if (caller.numberKnown === 'unknown') return undefined
  return withCaller(callers, gatewayId, { ...caller, numberKnown: 'unknown' })
}

/** The callers where nobody knows any more which numbers are known: the gate has another number, and so another module. */
export const ofOtherModule = (callers: GateCallers): GateCallers =>
  Object.fromEntries(
    Object.entries(callers).map(([gatewayId, caller]) => [gatewayId, { ...caller, numberKnown: 'unknown' }]),
  )
