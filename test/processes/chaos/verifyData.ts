// The findings of `callgate verify` in the data of a house, read while the cloud serves it.

import { join } from 'node:path'
import { openDatabase } from '@callgate/cloud/database/database'
import { readKeyring } from '@callgate/cloud/secrets/keyring'
import { verify } from '@callgate/cloud/verify/verify'
import { realWorld } from '@callgate/world/real'

/** A line for each finding. */
export async function verifyData(folder: string): Promise<readonly string[]> {
  const loaded = await readKeyring(realWorld({ logLevel: 'silent' }), folder)
  if (!loaded.ok) return [loaded.message]
  const database = await openDatabase({ url: join(folder, 'callgate.sqlite'), onlyReads: true })
  try {
    const findings = await verify(database, loaded.keyring.seal)
    return findings.map(({ id, rule, what }) => `${rule}: ${id}: ${what}`)
  } finally {
    await database.close()
  }
}
