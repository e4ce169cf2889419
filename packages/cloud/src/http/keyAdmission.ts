// The admission of API keys to the REST API: 401, 403 and 429.

import type { OperationShape } from '@callgate/contract/rest/operation'
import { isProblem } from '@callgate/contract/rest/problem'
import type { World } from '@callgate/world/world'
import type { Context } from 'koa'
import { addressGroup } from '../core/connectionLimiter.ts'
import type { Db } from '../database/database.ts'
import type { Limits } from '../limit/limits.ts'
import { answerProblem } from './answerError.ts'
import { authenticate, type KeyPrincipals, keyOf, refusalOf, unauthorized } from './authenticate.ts'
import { createFailedKeys } from './failedKeys.ts'
import type { KeyPrincipal } from './handler.ts'
import { type RateLimits, rateHeaders, rateProblem } from './rateLimit.ts'
import { noteKey } from './requestLog.ts'
import type { Admitted } from './serving.ts'

interface KeyAdmissionParts {
  readonly world: World
  readonly limits: Limits
  readonly principals: KeyPrincipals
  readonly rateLimits: RateLimits
}

/** How many event streams a key may have at once. */
const streamsOfKey = 20

/** Counts the use of a key, and writes its time after the answer is sent: the write's fsync must not delay the answer. */
function recordUseAfter(ctx: Context, parts: KeyAdmissionParts, { identity, isUseDue }: KeyPrincipal): void {
  const isCountDue = parts.principals.countUse(identity.apiKeyId)
  if (!isUseDue && !isCountDue) return
  const { apiKeyId } = identity
  ctx.res.once('close', () => {
    parts.principals
      .recordUse(apiKeyId)
      .catch((error: unknown) =>
        parts.world.log.warn('lastUsedAt was not written', { apiKeyId, why: String(error) }),
      )
  })
}

/** Admits the holder of a key to an operation, or answers. */
export function keyAdmission(parts: KeyAdmissionParts) {
  const { principals, rateLimits } = parts
  const failedKeys = createFailedKeys(parts)
  return async (shape: OperationShape, ctx: Context): Promise<Admitted | undefined> => {
    const { rateClass, scope } = shape
    const principal = await authenticate(principals, ctx.req, scope)
    if (isProblem(principal)) {
      await failedKeys.delay(addressGroup(ctx.ip))
      answerProblem(ctx, principal)
      return undefined
    }
    const { apiKeyId } = principal.identity
    // A stream that stays open has let go of its headers when the key is checked again.
    const key = keyOf(ctx.req.headersDistinct) ?? ''
    noteKey(ctx, apiKeyId)
    recordUseAfter(ctx, parts, principal)
    const refusal = refusalOf(principal, shape)
    const status = await rateLimits[refusal ? 'peek' : 'take'](apiKeyId, rateClass)
    ctx.set(rateHeaders(rateClass, status))
    const refusalIn = async (db?: Db) => {
      const again = await principals.find(key, db)
      return again ? refusalOf(again, shape) : unauthorized(scope, true)
    }
    const reader = {
      credential: `key ${apiKeyId}`,
      most: streamsOfKey,
      mayStill: async () => (await refusalIn()) === undefined,
    }
    const { spaceId } = principal
    if (!refusal && status.isTaken)
      return { given: { principal }, spaceId, of: spaceId, askerId: apiKeyId, reader, refusalIn }
    answerProblem(ctx, refusal ?? rateProblem('An API key', rateClass, status))
    return undefined
  }
}
