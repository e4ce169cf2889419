// Whose request it is: the address that penalties and the log go by.

import type { Middleware } from 'koa'
import { clientAddress, type IsTrustedProxy } from '../network/proxies.ts'

/** Makes `ctx.ip` the client's own address also behind trusted proxies. To stand before all other layers. */
export function knowClients(isTrustedProxy: IsTrustedProxy = () => false): Middleware {
  return (ctx, next) => {
    const forwardedFor = ctx.get('X-Forwarded-For')
    ctx.request.ip = clientAddress(isTrustedProxy, ctx.req.socket.remoteAddress ?? '', forwardedFor)
    return next()
  }
}
