// The public keys with which the cloud has signed, and since when. The private keys are in the data folder.

import { type SigningKey, type VerifyingKey, verifyingKey } from '@callgate/contract/wire/signature'
import { isoTime, type World } from '@callgate/world/world'
import type { Database, Db } from '../database/database.ts'
import type { KeyPlaces, Keyring } from '../secrets/keyring.ts'
import { watchSigningKeys } from '../secrets/signingKeysWatch.ts'

/** The first key counts for all earlier times: data that is older than this table has had no other key. */
const everBefore = isoTime(0)

/** The id of the newest key at `at`, an ISO time; undefined where none was ever noted. */
export const keyAt = async (db: Db, at: string): Promise<string | undefined> =>
  (await db('signingKeys').where('createdAt', '<=', at).orderBy('id', 'desc').first('keyId'))?.keyId

type Noted = Pick<SigningKey, 'keyId' | 'publicKey'>

/** Notes the keys with which the cloud signs from now on, oldest first, where they have changed. */
export async function noteSigningKeys(
  { database, world }: { readonly database: Database; readonly world: World },
  keys: readonly Noted[],
): Promise<void> {
  const known: { keyId: string; publicKey: string | null }[] = await database
    .knex('signingKeys')
    .orderBy('id')
    .select('keyId', 'publicKey')
  const isKnown = ({ keyId }: Noted) => known.some(row => row.keyId === keyId && row.publicKey !== null)
  if (keys.every(isKnown) && known.at(-1)?.keyId === keys.at(-1)?.keyId) return
  await database.write(async tx => {
    for (const [place, { keyId, publicKey }] of keys.entries()) {
      await tx('signingKeys').where({ keyId, publicKey: null }).update({ publicKey })
      const newest = await tx('signingKeys').orderBy('id', 'desc').first('keyId')
      const isThere = await tx('signingKeys').where({ keyId }).first('id')
      // A key that comes back with a backup is the newest again.
      const isNew = place === keys.length - 1 ? newest?.keyId !== keyId : !isThere
      const createdAt = newest ? isoTime(world.nowMs()) : everBefore
      if (isNew) await tx('signingKeys').insert({ createdAt, keyId, publicKey })
    }
  })
}

/** Notes the keys with which the cloud signs, now and when a rotation changes them. Resolves with a function that ends this. */
export async function followSigningKeys(parts: {
  readonly database: Database
  readonly world: World
  readonly keyring: Pick<Keyring, 'signing' | 'useSigningKeys'>
  readonly places: KeyPlaces
}): Promise<() => void> {
  const { keyring, places, world } = parts
  await noteSigningKeys(parts, keyring.signing().keys)
  const failed = (error: unknown) =>
    world.log.error('the new key was not noted; the next start does it', { why: String(error) })
  return watchSigningKeys(
    world,
    keyring,
    places,
    ({ keys }) => void noteSigningKeys(parts, keys).catch(failed),
  )
}

/** Every key with which the cloud has signed, if its public half was noted, and the present keys. */
export async function notedKeys(
  db: Db,
  held: readonly Noted[],
): Promise<readonly { readonly key: VerifyingKey; readonly publicKey: string }[]> {
  const noted: string[] = await db('signingKeys').whereNotNull('publicKey').pluck('publicKey')
  return [...new Set([...held.map(({ publicKey }) => publicKey), ...noted])].flatMap(publicKey => {
    const key = verifyingKey(publicKey)
    return key ? [{ key, publicKey }] : []
  })
}
