// Who a key is: its Space, its rights, and what is left of its limits.

import type { RateClass } from '@callgate/contract/rest/operation'
import { rateLimits as limitsOfKey } from '@callgate/contract/rest/rateLimits'
import type { World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import type { Handlers } from '../http/handler.ts'
import type { RateLimits } from '../http/rateLimit.ts'
import { readPlanUse } from './spaces.ts'

interface SelfParts {
  readonly database: Database
  readonly rateLimits: Pick<RateLimits, 'peek'>
  readonly world: World
}

export function selfHandlers({ database, rateLimits, world }: SelfParts): Pick<Handlers, 'getSelf'> {
  async function rateOf(apiKeyId: string, rate: RateClass) {
    const { remaining } = await rateLimits.peek(apiKeyId, rate)
    return { limit: limitsOfKey[rate].requests, remaining }
  }
  return {
    async getSelf({ principal: { gateIds, identity, scopes, spaceId } }) {
      const { knex } = database
      const { apiKeyId: id } = identity
      const space = await knex('spaces')
        .where({ id: spaceId })
        .first('id', 'name', 'mode', 'country', 'timezone')
      const key = await knex('apiKeys').where({ id, spaceId }).first('id', 'name', 'expiresAt')
      const use = await readPlanUse(knex, spaceId, world.nowMs())
      const { gates, gateways, invitations, plan: name, trialEndsAt } = use
      const body = {
        space,
        key: { ...key, scopes: [...scopes], gateIds: gateIds && [...gateIds] },
        rates: {
          default: await rateOf(id, 'read'),
          write: await rateOf(id, 'write'),
          open: await rateOf(id, 'open'),
        },
        plan: { name, trialEndsAt, gates, gateways, invitations },
      }
      return { status: 200, body }
    },
  }
}
