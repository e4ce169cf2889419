// An endpoint of gateways that a test controls: each has one boot, and a clock that agrees with the cloud's.

import { signed, signingKey } from '@callgate/contract/wire/signature'
import type { GatewayEndpoint } from './gatewayEndpoint.ts'

export const playedBoot = 'A'.repeat(22)
/** Signs the grants. */
export const playedKey = signingKey(new Uint8Array(32).fill(1))

/** An endpoint of the gateways that are `online`: none by default. */
export function playedEndpoint(
  online: GatewayEndpoint['online'] = () => [],
  hint: (gatewayId: string, openingId: string) => unknown = () => {},
): GatewayEndpoint {
  return {
    online,
    ableToCall: online,
    hint: (gatewayId, openingId) => void hint(gatewayId, openingId),
    sign: (grant, { bootId, gatewayId, nonce, openingId }) => {
      const message = { gatewayId, openingId, nonce, bootId, body: JSON.stringify(grant) }
      return signed(playedKey, { type: 'grant', ...message }).signature
    },
    clocks: (spaceId, { monotonicMs }) =>
      new Map(online(spaceId).map(id => [id, { bootId: playedBoot, atPressMs: monotonicMs }])),
  }
}
