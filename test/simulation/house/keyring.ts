// The signing keys of one run of a simulated cloud, and its registration among the clouds that serve.

import type { Database } from '@callgate/cloud/database/database'
import { type Clouds, joinClouds } from '@callgate/cloud/limit/clouds'
import { type SigningKeys, signingFingerprint } from '@callgate/cloud/secrets/signingKeys'
import { watchSigningKeys } from '@callgate/cloud/secrets/signingKeysWatch'
import type { KeyRotation } from './keyRotation.ts'
import type { Life } from './life.ts'
import { digestKey } from './signingKeys.ts'

class OtherKeys extends Error {}

/** Whether a start has failed because another cloud serves with other keys. */
export const isOtherKeys = (error: unknown) => error instanceof OtherKeys

/** The keys that the run read at its start, or takes from the file later. */
export function ringOf({ current, disk, now, places }: KeyRotation, life: Life, database: Database) {
  let held = current()
  let clouds: Clouds | undefined
  const keyring = {
    signing: () => held,
    useSigningKeys(next: SigningKeys) {
      held = { ...next, keys: next.keys.map(digestKey) }
    },
  }
  const fingerprints = {
    get signing() {
      return signingFingerprint(held)
    },
    sealing: 'one',
  }
  watchSigningKeys(life.world, keyring, places, () => {}, disk.read)

  return {
    signing: keyring.signing,
    /** Rejects where another cloud serves with other keys. */
    async join() {
      const world = { ...life.world, nowMs: now }
      const joined = await joinClouds({ database, world, isByWorld: true }, fingerprints)
      if (!joined.ok) throw new OtherKeys(joined.message)
      clouds = joined.clouds
    },
    leave: async () => clouds?.stop(),
  }
}
