// The keys by which push services know this installation: made once, the private one sealed.

import { isoTime, type World } from '@callgate/world/world'
import type { Database, Db } from '../database/database.ts'
import type { Seal } from '../secrets/sealing.ts'
import { newPushKeys, type PushKeys } from './encryptedPush.ts'

/** The context with which the private key is sealed. */
export const pushKeysPlace = 'push keys'
const id = 'push'

interface KeysRow {
  readonly publicKey: string
  readonly privateSealed: string
}

const readRow = (db: Db): Promise<KeysRow | undefined> => db('pushKeys').where({ id }).first()

/** The public key. Of several readers at once, the first one makes the keys. */
export async function publicPushKey(parts: {
  readonly database: Database
  readonly seal: Seal
  readonly world: World
}): Promise<string> {
  const { database, seal, world } = parts
  const row = await readRow(database.knex)
  if (row) return row.publicKey
  return database.write(
    async tx => {
      const { privateKey, publicKey } = newPushKeys()
      const privateSealed = seal.seal(privateKey, pushKeysPlace)
      const made = { id, publicKey, privateSealed, createdAt: isoTime(world.nowMs()) }
      await tx('pushKeys').insert(made).onConflict('id').ignore()
      return (await readRow(tx))?.publicKey ?? publicKey
    },
    { spaceId: null },
  )
}

/** Both keys; undefined where there are none, or no sealing key opens the private one. */
export async function readPushKeys(db: Db, seal: Seal): Promise<PushKeys | undefined> {
  const row = await readRow(db)
  const privateKey = row && seal.unseal(row.privateSealed, pushKeysPlace)
  return row && privateKey !== undefined ? { publicKey: row.publicKey, privateKey } : undefined
}
