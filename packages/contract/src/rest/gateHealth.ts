// Whether a gate can probably be opened, by what is known of it without a call: the gateways, its last calls and its calibration.

import type { calibrationOf } from '../call/callProfile.ts'
import type { GatewayView } from './gatewayView.ts'

/** From the one that matters most. */
export const gateHealths = ['offline', 'not_reacting', 'unverified', 'ready'] as const
export type GateHealth = (typeof gateHealths)[number]

/** From this many unanswered calls in a row on, there is a cause to look for. */
export const missesThatTell = 2

/** Whether a gateway is online, and whether one of those reports that its modem is ready. */
export type CallingGatewayState = 'not_known' | 'none' | 'not_ready' | 'ready'

/** The gateways that could call now. `gateways`: undefined where they could not be read. */
export function callerOf(
  gateways: readonly { readonly now: Pick<GatewayView['now'], 'state' | 'modem'> }[] | undefined,
): CallingGatewayState {
  if (!gateways) return 'not_known'
  const online = gateways.filter(({ now }) => now.state === 'online')
  if (online.length === 0) return 'none'
  const isReady = online.some(({ now }) => now.modem?.state === 'ready' || now.modem?.state === 'calling')
  return isReady ? 'ready' : 'not_ready'
}

/** What can be told of a gate. What is not known tells nothing against it. */
export function gateHealth(
  caller: CallingGatewayState,
  figures: { readonly misses: number; readonly calibration: ReturnType<typeof calibrationOf> } | undefined,
): GateHealth {
  if (caller === 'none' || caller === 'not_ready') return 'offline'
  if (figures && figures.misses >= missesThatTell) return 'not_reacting'
  return figures?.calibration === 'none' ? 'unverified' : 'ready'
}
