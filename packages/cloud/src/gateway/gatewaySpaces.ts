// The Spaces of the gateways: a message names only its gateway, and its Space must be known before its transaction.

import type { Database } from '../database/database.ts'
import { findGateway } from './gatewayRows.ts'

export interface GatewaySpaces {
  /** The Space of a gateway, revoked or not; null where there is no such gateway. */
  find(gatewayId: string): Promise<string | null>
}

/** A gateway belongs to one Space for life, so each row is read only once. */
export function gatewaySpaces({ knex }: Pick<Database, 'knex'>): GatewaySpaces {
  const known = new Map<string, string>()
  return {
    async find(gatewayId) {
      const spaceId = known.get(gatewayId) ?? (await findGateway(knex, gatewayId))?.spaceId
      if (spaceId === undefined) return null
      known.set(gatewayId, spaceId)
      return spaceId
    },
  }
}
