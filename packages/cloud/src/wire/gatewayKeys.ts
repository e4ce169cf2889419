// The public keys of the gateways. Each is read once, because a gateway keeps its key for life.

import { type VerifyingKey, verifyingKey } from '@callgate/contract/wire/signature'
import type { Database } from '../database/database.ts'
import { statement } from '../database/statement.ts'

const keyOf = statement<{ readonly id: string }, { readonly publicKey: string }>((db, { id }) =>
  db('gateways').select('publicKey').where({ id }),
)

/**
 * Reads the key of a gateway; undefined where there is none. Every transaction checks for itself whether the gateway is revoked.
 */
export function gatewayKeys({
  database,
  readKey = verifyingKey,
}: {
  readonly database: Database
  readonly readKey?: ((publicKey: string) => VerifyingKey | undefined) | undefined
}): (gatewayId: string) => Promise<VerifyingKey | undefined> {
  const keys = new Map<string, VerifyingKey>()
  return async gatewayId => {
    const known = keys.get(gatewayId)
    if (known) return known
    const [row] = await keyOf(database.knex, { id: gatewayId })
    const key = row && readKey(row.publicKey)
    if (key) keys.set(gatewayId, key)
    return key
  }
}
