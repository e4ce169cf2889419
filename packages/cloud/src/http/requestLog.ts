// The request log: one line for each request, with its operation and its end, and without its content.

import { measured } from '@callgate/world/measures'
import type { World } from '@callgate/world/world'
import type { Context, Middleware } from 'koa'

/** The pattern of the route; `none` without one. Never the path, because a guest's path contains the link's token. */
export function routeOf(ctx: Context): string {
  return String(ctx['_matchedRoute'] ?? ctx['matched']?.[0]?.path ?? 'none')
}

/** Notes the key of a request, for its line. */
export function noteKey(ctx: Context, apiKeyId: string): void {
  ctx.state['apiKeyId'] = apiKeyId
}

/** Notes the user of a request, for its line. */
export function noteUser(ctx: Context, userId: string): void {
  ctx.state['userId'] = userId
}

/** Writes the line once the answer is out or the client is gone, so that it delays nothing. Must be the first layer. */
export function logRequests(world: World): Middleware {
  return async (ctx, next) => {
    const startMs = world.monotonicMs()
    await next()
    // The status that was decided. A later failure is one of the network.
    const { method, res, status } = ctx
    const { apiKeyId, userId } = ctx.state
    const requestId = ctx.response.get('X-Request-Id')
    const route = routeOf(ctx)
    // The address is logged only for a refused request: the operator may want to block that client.
    const address = status >= 400 ? { address: ctx.ip } : {}
    const write = () => {
      const durationMs = Math.round((world.monotonicMs() - startMs) * 10) / 10
      const who = { apiKeyId, ...(userId && { userId }), ...address }
      measured({ kind: 'request', method, route, status, durationMs })
      world.log.info('request', { requestId, method, route, status, durationMs, ...who })
    }
    if (res.closed) write()
    else res.once('close', write)
  }
}
