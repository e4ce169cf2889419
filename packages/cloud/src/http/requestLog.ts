// The request log: one line for each request, with its operation and its end, and without its content.

import type { World } from '@callgate/world/world'
import type { Context, Middleware } from 'koa'

/** The pattern of the route, `none` without one. Never the path: a guest's holds the link's token. */
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
    const write = () =>
      world.log.info('request', {
        requestId: ctx.response.get('X-Request-Id'),
        method,
        route: routeOf(ctx),
        status,
        durationMs: Math.round((world.monotonicMs() - startMs) * 10) / 10,
        apiKeyId: ctx.state['apiKeyId'],
        ...(ctx.state['userId'] && { userId: ctx.state['userId'] }),
        // Only a refused request has its address logged: the operator may want to shut that client out.
        ...(status >= 400 && { address: ctx.ip }),
      })
    if (res.closed) write()
    else res.once('close', write)
  }
}
