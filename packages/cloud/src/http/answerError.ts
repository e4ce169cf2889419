// Errors on the way out: the one place that writes the error shape, whatever went wrong.

import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Problem } from '@callgate/contract/problem'
import type { World } from '@callgate/world/world'
import type { Context, Middleware } from 'koa'
import { databaseTrouble } from '../database.ts'
import { problemReply, sendReply } from './reply.ts'
import { routeOf } from './requestLog.ts'
import { securityHeaders } from './securityHeaders.ts'

/** Answers with a problem. */
export function answerProblem(ctx: Context, problem: Problem): void {
  sendReply(ctx, problemReply(problem))
}

const fault: Problem = {
  problem: 'internal_error',
  message: 'The service failed. Try again later; the X-Request-Id of this answer finds the cause in its log.',
}

/** The database could not take the request, so nothing was accepted and another try is safe. */
function unavailable(retryAfterS: number): Problem {
  return {
    problem: 'internal_error',
    status: 503,
    message: 'The service cannot take the request now; nothing was done. Try again later.',
    headers: { 'Retry-After': String(retryAfterS) },
  }
}

function newRequestId(world: World): string {
  return Buffer.from(world.randomBytes(12)).toString('base64url')
}

/** The client's own name for the request where it is harmless in headers and logs, and no API key, else a new one. */
function requestIdOf(ctx: Context, world: World): string {
  const given = ctx.req.headers['x-request-id']
  const isSane = typeof given === 'string' && given.length <= 64 && /^(?!svc_)[\w.-]+$/.test(given)
  return isSane ? given : newRequestId(world)
}

/** Below the log the outermost layer: sets what every answer has, and turns whatever is thrown into an answer. */
export function answerErrors(world: World): Middleware {
  const always = { ...securityHeaders(), 'Cache-Control': 'no-store' }
  return async (ctx, next) => {
    const requestId = requestIdOf(ctx, world)
    ctx.set('X-Request-Id', requestId)
    ctx.set(always)
    try {
      await next()
    } catch (error) {
      const trouble = databaseTrouble(error)
      const stack = error instanceof Error ? error.stack : String(error)
      const told = { requestId, method: ctx.method, route: routeOf(ctx) }
      if (trouble) world.log.error('the database refused a request', { ...told, trouble })
      else world.log.error('a request failed', { ...told, stack })
      answerProblem(ctx, trouble ? unavailable(trouble === 'busy' ? 1 : 60) : fault)
    }
  }
}

/** Answers what is not even HTTP, in the same shape, and closes the connection. */
export function answerBrokenRequest(world: World): (error: Error, socket: Duplex) => void {
  return (error, socket) => {
    if (!socket.writable) return
    const isTooLong = 'code' in error && error.code === 'HPE_HEADER_OVERFLOW'
    const message = isTooLong ? 'The headers are too large.' : 'This is not a valid HTTP request.'
    const status = isTooLong ? 431 : 400
    const body = JSON.stringify({ error: { code: 'validation_error', message } })
    const requestId = newRequestId(world)
    world.log.info('request', { requestId, route: 'none', status })
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nCache-Control: no-store\r\n` +
        `X-Request-Id: ${requestId}\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
  }
}
