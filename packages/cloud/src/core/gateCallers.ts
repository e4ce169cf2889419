// Which gateways may call a gate, and which of them is asked first.

import type { GateCaller, GateCallers } from '@callgate/contract/call/gateCallers'

/** What holds for a gateway for which nothing is set. */
export const usualCaller: GateCaller = { mayCall: true, numberKnown: 'unknown' }

export const callerOf = (callers: GateCallers, gatewayId: string): GateCaller =>
  Object.hasOwn(callers, gatewayId) ? (callers[gatewayId] ?? usualCaller) : usualCaller

/** Whether a gateway calls the gate. Its call is useless where the gate's module does not know its number. */
export function callsGate(callers: GateCallers, gatewayId: string): boolean {
  const { mayCall, numberKnown } = callerOf(callers, gatewayId)
  return mayCall && numberKnown !== 'no'
}

/** Those of `online` that call the gate: whose numbers are known there first, and otherwise in the order given. */
export function inCallingOrder(online: readonly string[], callers: GateCallers): readonly string[] {
  const able = online.filter(gatewayId => callsGate(callers, gatewayId))
  const isKnown = (gatewayId: string) => callerOf(callers, gatewayId).numberKnown === 'yes'
  return [...able.filter(isKnown), ...able.filter(gatewayId => !isKnown(gatewayId))]
}

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
