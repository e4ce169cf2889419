// The keys that the cloud has signed with, by their ids, and since when. The keys themselves are in the data folder.

import type { SigningKey } from '@callgate/contract/wire/signature'
import { isoTime, type World } from '@callgate/world/world'
import type { Database, Db } from '../database/database.ts'

/** The first key counts for everything before it: data that is older than this table has had no other. */
const everBefore = isoTime(0)

const keyAt = async (db: Db, at: string): Promise<string | undefined> =>
  (await db('signingKeys').where('createdAt', '<=', at).orderBy('id', 'desc').first('keyId'))?.keyId

/** Notes the key with which the cloud signs from now on, where it is another one than before. */
export async function noteSigningKey(
  { database, world }: { readonly database: Database; readonly world: World },
  { keyId }: Pick<SigningKey, 'keyId'>,
): Promise<void> {
  const newest = await database.knex('signingKeys').orderBy('id', 'desc').first('keyId')
  if (newest?.keyId === keyId) return
  const createdAt = newest ? isoTime(world.nowMs()) : everBefore
  await database.write(tx => tx('signingKeys').insert({ createdAt, keyId }))
}

/** Whether this key signed at `at`, a time in ISO form. True where no key was ever noted. */
export async function signedAt(db: Db, { keyId }: Pick<SigningKey, 'keyId'>, at: string): Promise<boolean> {
  return ((await keyAt(db, at)) ?? keyId) === keyId
}
