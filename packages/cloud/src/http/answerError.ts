// Error answers: the only place that writes the error shape.

import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Problem } from '@callgate/contract/rest/problem'
import type { World } from '@callgate/world/world'
import type { Context, Middleware } from 'koa'
import { databaseTrouble } from '../database/database.ts'
import type { DatabaseTrouble } from '../database/databaseError.ts'
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

/** The request was not accepted, so another try is safe. */
export function unavailable(retryAfterS: number): Problem {
  return {
    problem: 'internal_error',
    status: 503,
    message: 'The service cannot take the request now; nothing was done. Try again later.',
    headers: { 'Retry-After': String(retryAfterS) },
  }
}

/** After how many seconds another try may help. The other troubles need the operator. */
const againInS: Partial<Record<DatabaseTrouble, number>> = { busy: 1, unreachable: 5 }

function newRequestId(world: World): string {
  return Buffer.from(world.randomBytes(12)).toString('base64url')
}

/** The client's own id of the request where it is harmless in headers and logs, and no API key; otherwise a new one. */
function requestIdOf(ctx: Context, world: World): string {
  const given = ctx.req.headers['x-request-id']
  const isSane = typeof given === 'string' && given.length <= 64 && /^(?!svc_)[\w.-]+$/.test(given)
  return isSane ? given : newRequestId(world)
}

/** The outermost layer below the log: sets the headers of every answer, and turns every error into an answer. */
export function answerErrors(world: World): Middleware {
  const always = Object.entries({ ...securityHeaders(), 'Cache-Control': 'no-store' })
  return async (ctx, next) => {
    const requestId = requestIdOf(ctx, world)
    ctx.set('X-Request-Id', requestId)
    // Bypasses Koa's `set`, which would check each of them again.
    for (const [name, value] of always) ctx.res.setHeader(name, value)
    try {
      await next()
    } catch (error) {
      const trouble = databaseTrouble(error)
      const stack = error instanceof Error ? error.stack : String(error)
      const told = { requestId, method: ctx.method, route: routeOf(ctx) }
      if (trouble) world.log.error('the database refused a request', { ...told, trouble })
      else world.log.error('a request failed', { ...told, stack })
      // A cookie that was set before the failed write belongs to a session that is not stored.
      ctx.remove('Set-Cookie')
      answerProblem(ctx, trouble ? unavailable(againInS[trouble] ?? 60) : fault)
    }
  }
}

/** How long a client may take to read an answer that ends its connection, in milliseconds. */
const answerWithinMs = 5_000

/** Answers in the same shape where there is no request object, and closes the connection. */
function answerSocket(world: World, socket: Duplex, problem: Problem): void {
  if (!socket.writable) return void socket.destroy()
  const { body, headers, status } = problemReply(problem)
  const requestId = newRequestId(world)
  const address = 'remoteAddress' in socket ? socket.remoteAddress : undefined
  world.log.info('request', { requestId, route: 'none', status, address })
  const all = {
    ...headers,
    Connection: 'close',
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body ?? ''),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  // The server closes the socket itself: a client can keep its half open or read nothing, and the server could not stop before
  // that.
  const close = () => socket.destroy()
  const timer = world.after(answerWithinMs, close)
  socket.once('close', () => timer.cancel())
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`, close)
}

/** The errors of Node's parser, by code. */
const broken: Readonly<Record<string, { readonly status: number; readonly message: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time.' },
}

/** Answers bytes that are not HTTP, or that never became a request. */
export function answerBrokenRequest(world: World): (error: Error, socket: Duplex) => void {
  return (error, socket) => {
    const code = 'code' in error ? String(error.code) : ''
    const told = broken[code] ?? { status: 400, message: 'This is not a valid HTTP request.' }
    answerSocket(world, socket, { problem: 'validation_error', ...told })
  }
}

/** Refuses CONNECT, which asks a proxy for a tunnel. Node hands over the bare connection for it. */
export function refuseTunnel(world: World, socket: Duplex): void {
  const message = 'The method CONNECT is not allowed here.'
  answerSocket(world, socket, { problem: 'method_not_allowed', message, headers: { Allow: '' } })
}
