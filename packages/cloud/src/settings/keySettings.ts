// The dashboard's operations on API keys: list them with their uses, make one, and end one.

import { type ApiKeyView, useDays } from '@callgate/contract/app/apiKey'
import { refuse } from '@callgate/contract/app/refusals'
import type { Problem } from '@callgate/contract/rest/problem'
import type { World } from '@callgate/world/world'
import { actorOf } from '../activity/activity.ts'
import { lastDays } from '../core/days.ts'
import { readInstant } from '../core/instant.ts'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import type { AppHandlers } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import { type ApiKey, endApiKey, insertApiKey, keyLimitProblem, listApiKeys } from '../space/apiKeys.ts'
import { type KeyUses, readKeyUses } from '../space/keyUses.ts'
import { limitProblem } from '../space/spaces.ts'

interface KeySettingsParts {
  readonly database: Database
  readonly world: World
  readonly uses: Pick<KeyUses, 'pending'>
}

const invalid = (message: string): Problem => ({ problem: 'validation_error', message })

type Shown = Omit<ApiKey, 'spaceId'>

function toView({ apiKeyId, ...key }: Shown, uses: number[]): ApiKeyView {
  const { createdAt, expiresAt, gateIds, lastUsedAt, madeById, name, revokedAt, scopes, shownPrefix } = key
  const shown = { id: apiKeyId, name, shownPrefix, scopes: [...scopes], gateIds: gateIds && [...gateIds] }
  return { ...shown, createdAt, expiresAt, revokedAt, lastUsedAt, madeById, uses }
}

/** The keys of a Space with their uses. The process itself may know of newer ones than the database. */
async function readKeyViews(
  { database, uses, world }: KeySettingsParts,
  spaceId: string,
): Promise<ApiKeyView[]> {
  const { knex } = database
  const keys = await listApiKeys(database, spaceId)
  const byKey = await readKeyUses(knex, spaceId)
  const days = await daysOf(knex, spaceId, world)
  return keys.map(key => {
    const counted = days.map(({ date }) => byKey.get(key.apiKeyId)?.get(date) ?? 0)
    counted[useDays - 1] = (counted[useDays - 1] ?? 0) + uses.pending(key.apiKeyId)
    return toView(key, counted)
  })
}

async function daysOf(db: Db, spaceId: string, world: World) {
  const { timezone } = await db('spaces').where({ id: spaceId }).first('timezone')
  return lastDays(world.nowMs(), timezone, useDays)
}

/** The end of a key in its stored form; null: never. */
function readEnd(text: string | null | undefined, nowMs: number): string | null | Problem {
  if (text === undefined || text === null) return null
  const end = readInstant(text)
  if (end === undefined) return invalid('expiresAt must be a time that exists')
  return Date.parse(end) > nowMs ? end : refuse('key_end_past')
}

/** The dashboard's operations on API keys. */
export function keySettings(
  parts: KeySettingsParts,
): Pick<AppHandlers, 'listApiKeys' | 'createApiKey' | 'revokeApiKey'> {
  const { world } = parts
  return {
    async listApiKeys({ principal }) {
      return { status: 200, body: { keys: await readKeyViews(parts, principal.spaceId) } }
    },

    async createApiKey({ body, principal, write }) {
      const { gateIds = null, name, scopes } = body
      const expiresAt = readEnd(body.expiresAt, world.nowMs())
      if (expiresAt !== null && typeof expiresAt !== 'string') return expiresAt
      const given = { spaceId: principal.spaceId, name, scopes, gateIds, expiresAt, ...actorOf(principal) }
      return write(async tx => {
        const { spaceId } = principal
        const unlimited = await keyLimitProblem(tx, given)
        if (unlimited) return unlimited
        const full = await limitProblem(tx, 'keyLimit', { spaceId, nowMs: timeIn(tx, world) })
        if (full) return full
        const made = await insertApiKey(tx, world, given)
        if (!made) throw new Error('the Space of a caller is there')
        const { key: secret, ...key } = made
        return { status: 201, body: { key: toView(key, new Array(useDays).fill(0)), secret } } as const
      })
    },

    revokeApiKey: ({ principal, params, write }) =>
      write(async tx => {
        const place = { id: params.apiKeyId, spaceId: principal.spaceId }
        const isKnown = await endApiKey(tx, world, place, actorOf(principal))
        return isKnown ? ({ status: 204 } as const) : notFound('API key')
      }),
  }
}
