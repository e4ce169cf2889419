// The admission of API keys to the REST API: 401, 403 and 429.

import type { OperationShape } from '@callgate/contract/rest/operation'
import { isProblem } from '@callgate/contract/rest/problem'
import type { World } from '@callgate/world/world'
import type { Context } from 'koa'
import type { Bounds } from '../bound/bounds.ts'
import { addressGroup } from '../core/connectionBounds.ts'
import type { Db } from '../database/database.ts'
import { answerProblem } from './answerError.ts'
import { authenticate, type Callers, keyOf, refusalOf, unauthorized } from './authenticate.ts'
import { createFailedKeys } from './failedKeys.ts'
import type { KeyCaller } from './handler.ts'
import { type RateLimits, rateHeaders, rateProblem } from './rateLimit.ts'
import { noteKey } from './requestLog.ts'
import type { Admitted } from './serving.ts'

interface Parts {
  readonly world: World
  readonly bounds: Bounds
  readonly callers: Callers
  readonly rateLimits: RateLimits
}

/** How many event streams a key may have at once. */
const streamsOfKey = 20

/** Counts the use of a key, and writes when it was used, once the answer is out: the write's fsync must not delay it. */
function recordUseAfter(ctx: Context, parts: Parts, { asker, isUseDue }: KeyCaller): void {
  const isCountDue = parts.callers.countUse(asker.apiKeyId)
  if (!isUseDue && !isCountDue) return
  const { apiKeyId } = asker
  ctx.res.once('close', () => {
    parts.callers
      .recordUse(apiKeyId)
      .catch((error: unknown) =>
        parts.world.log.warn('lastUsedAt was not written', { apiKeyId, why: String(error) }),
      )
  })
}

/** Admits the holder of a key to an operation, or answers. */
export function keyAdmission(parts: Parts) {
  const { callers, rateLimits } = parts
  const failedKeys = createFailedKeys(parts)
  return async ({ rateClass, scope }: OperationShape, ctx: Context): Promise<Admitted | undefined> => {
    const caller = await authenticate(callers, ctx.req, scope)
    if (isProblem(caller)) {
      await failedKeys.delay(addressGroup(ctx.ip))
      answerProblem(ctx, caller)
      return undefined
    }
    const { apiKeyId } = caller.asker
    const key = keyOf(ctx.req.headersDistinct) ?? ''
    noteKey(ctx, apiKeyId)
    recordUseAfter(ctx, parts, caller)
    const refusal = refusalOf(caller, scope)
    const standing = await rateLimits[refusal ? 'peek' : 'take'](apiKeyId, rateClass)
    ctx.set(rateHeaders(rateClass, standing))
    const refusalIn = async (db?: Db) => {
      const again = await callers.find(key, db)
      return again ? refusalOf(again, scope) : unauthorized(scope, true)
    }
    const reader = {
      credential: `key ${apiKeyId}`,
      most: streamsOfKey,
      mayStill: async () => (await refusalIn()) === undefined,
    }
    const { spaceId } = caller
    if (!refusal && standing.isTaken)
      return { given: { caller }, spaceId, of: spaceId, askerId: apiKeyId, reader, refusalIn }
    answerProblem(ctx, refusal ?? rateProblem('An API key', rateClass, standing))
    return undefined
  }
}
