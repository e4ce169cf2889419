// The HTTP server below the API: what Node would answer by itself is answered in our shape, or handed to the API.

import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { World } from '@callgate/world/world'
import { answerBrokenRequest, refuseTunnel } from './answerError.ts'

/** How long a request may take to arrive, in milliseconds; then it is answered with 408. */
export interface Patience {
  readonly headersMs: number
  /** Headers and body. */
  readonly wholeMs: number
  /** How often Node looks whether the time is over. */
  readonly checkMs: number
}

const patience: Patience = { headersMs: 10_000, wholeMs: 30_000, checkMs: 5_000 }

/**
 * Node stops listening for errors before it hands over the connection of a CONNECT, and a reset that nobody listens
 * for ends the process. So every connection has a listener of ours, from its first moment to its last. It has nothing
 * to do: Node destroys a connection that failed.
 */
function hearErrors(socket: Socket): void {
  socket.on('error', () => {})
}

/**
 * A server that does not listen yet. A request that expects what we do not know is served like any other (RFC 9110,
 * section 10.1.1, lets us ignore it), and so is one without a Host, which we do not look at: Node would refuse both
 * without a body.
 */
export function createHttpServer(
  world: World,
  listener: RequestListener,
  { checkMs, headersMs, wholeMs }: Patience = patience,
): Server {
  const options = {
    requireHostHeader: false,
    headersTimeout: headersMs,
    requestTimeout: wholeMs,
    connectionsCheckingInterval: checkMs,
  }
  return createServer(options, listener)
    .on('checkExpectation', listener)
    .on('connection', hearErrors)
    .on('clientError', answerBrokenRequest(world))
    .on('connect', (_request, socket) => refuseTunnel(world, socket))
}
