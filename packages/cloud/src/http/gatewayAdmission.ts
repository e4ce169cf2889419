// The admission of gateways that are being enrolled: open to all, within a rate for each network.

import type { CallShape } from '@callgate/contract/rest/operation'
import type { Context } from 'koa'
import { addressGroup } from '../core/connectionLimiter.ts'
import { answerProblem } from './answerError.ts'
import { type RateLimits, rateHeaders, rateProblem } from './rateLimit.ts'
import type { Admitted } from './serving.ts'
import { noReader } from './userAdmission.ts'

/** Admits a gateway that has no login yet, or answers. Its code and its signature identify it. */
export function gatewayAdmission(rateLimits: RateLimits) {
  return async ({ rateClass }: CallShape, ctx: Context): Promise<Admitted | undefined> => {
    const of = addressGroup(ctx.ip)
    const status = await rateLimits.take(`gateways of ${of}`, rateClass)
    ctx.set(rateHeaders(rateClass, status))
    if (status.isTaken)
      return {
        given: { addressGroup: of },
        spaceId: undefined,
        of,
        askerId: undefined,
        reader: noReader,
        refusalIn: async () => undefined,
      }
    answerProblem(ctx, rateProblem('The gateways of an address', rateClass, status))
    return undefined
  }
}
