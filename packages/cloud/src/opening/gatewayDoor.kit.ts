// The way to gateways that a test plays: each has one boot, and a clock that shows the same as the cloud's.

import type { GatewayDoor } from './openingEnds.ts'

export const playedBoot = 'A'.repeat(22)

/** A door to the gateways that are `online`; nobody is where nothing is said. */
export function playedDoor(
  online: GatewayDoor['online'] = () => [],
  hint: (gatewayId: string, openingId: string) => unknown = () => {},
): GatewayDoor {
  return {
    online,
    hint: (gatewayId, openingId) => void hint(gatewayId, openingId),
    clocks: (spaceId, { monotonicMs }) =>
      new Map(online(spaceId).map(id => [id, { bootId: playedBoot, atPressMs: monotonicMs }])),
  }
}
