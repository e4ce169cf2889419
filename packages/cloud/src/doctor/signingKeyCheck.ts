// The doctor's check of the signing key: whether every gateway trusts it, and whether a rotation is running.

import type { World } from '@callgate/world/world'
import type { Config } from '../config.ts'
import { counted } from '../core/counted.ts'
import { sayTrusting, type TrustStatus } from '../rotation/gatewayTrust.ts'
import { type SigningState, sayGateways, signingState } from '../rotation/signingRotation.ts'
import { type Found, fine, unknown, warning, wrong } from './check.ts'
import { inData } from './readData.ts'

function findingOf({ cloudsWithOtherKeys, gateways, keys }: SigningState): Found {
  const of = (standing: TrustStatus) => gateways.filter(gateway => gateway.standing === standing)
  const [left, old] = [of('left_behind'), of('says_nothing')]
  if (left.length > 0)
    return wrong(
      `These gateways do not trust the signing key: ${sayGateways(left)}`,
      'Write the public key of "callgate signing-key status" into their cloudKeys, and start their daemons again.',
    )
  if (cloudsWithOtherKeys > 0)
    return warning(
      `${counted(cloudsWithOtherKeys, 'cloud')} on this database has other signing keys`,
      'Give all clouds the same file; running ones take it up within a minute.',
    )
  if (old.length > 0)
    return warning(
      `The daemons of these gateways are too old to follow a new signing key: ${sayGateways(old)}`,
      'Update them before the key is replaced.',
    )
  if (keys.length > 1)
    return warning(
      `A new signing key is announced; ${sayTrusting(gateways, 'it')}`,
      '"callgate signing-key status" names the others; "callgate signing-key forget" ends the old key.',
    )
  return fine(`${keys[0]?.keyId}; ${sayTrusting(gateways, 'it')}`)
}

/** Which gateways trust the signing key. */
export const checkSigningKey = (world: World, config: Config): Promise<Found> =>
  inData({ config, what: 'which gateways trust it', world }, async database => {
    const state = await signingState({ database, world, places: config.keys })
    return state.ok ? findingOf(state) : unknown(state.message.replace(/\.$/, ''))
  })
