// The request log: one line for each request, of what it was and how it ended, and of nothing that it carried.

import type { World } from '@callgate/world/world'
import type { Context, Middleware } from 'koa'

/** The pattern of the route, `none` without one. Never the path: a guest's holds the link's token. */
export function routeOf(ctx: Context): string {
  return String(ctx['_matchedRoute'] ?? ctx['matched']?.[0]?.path ?? 'none')
}

/** Says whose key a request came with, for its line. */
export function noteKey(ctx: Context, apiKeyId: string): void {
  ctx.state['apiKeyId'] = apiKeyId
}

/** Writes the line once the answer is out, or the client gone: nobody waits for it. To stand before all other layers. */
export function logRequests(world: World): Middleware {
  return async (ctx, next) => {
    const startMs = world.monotonicMs()
    await next()
    // As it was decided; what fails from here on is the network's.
    const { method, res, status } = ctx
    const write = () =>
      world.log.info('request', {
        requestId: ctx.response.get('X-Request-Id'),
        method,
        route: routeOf(ctx),
        status,
        durationMs: Math.round((world.monotonicMs() - startMs) * 10) / 10,
        apiKeyId: ctx.state['apiKeyId'],
        // Whom it may be about to shut out is for the operator to see; of all others no address is kept.
        ...(status >= 400 && { address: ctx.ip }),
      })
    if (res.closed) write()
    else res.once('close', write)
  }
}
