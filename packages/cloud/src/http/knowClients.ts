// The address of a request's client, for penalties and the log.

import type { Middleware } from 'koa'
import { clientAddress, type IsTrustedProxy } from '../network/proxies.ts'

/** Makes `ctx.ip` the client's own address also behind trusted proxies. Must be the first layer. */
export function knowClients(isTrustedProxy: IsTrustedProxy = () => false): Middleware {
  return (ctx, next) => {
    const forwardedFor = ctx.get('X-Forwarded-For')
    ctx.request.ip = clientAddress(isTrustedProxy, ctx.req.socket.remoteAddress ?? '', forwardedFor)
    return next()
  }
}
