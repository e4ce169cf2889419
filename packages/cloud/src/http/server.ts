// The HTTP server below the API: what Node would answer by itself is answered in our shape, or handed to the API.

import { createServer, type RequestListener, type Server } from 'node:http'
import type { World } from '@callgate/world/world'
import { answerBrokenRequest } from './answerError.ts'

/**
 * A server that does not listen yet. A request without a Host, which nothing here asks for, and one that expects what
 * we do not know (RFC 9110, section 10.1.1, lets us ignore it) are served like any other: Node would refuse them
 * without a body.
 */
export function createHttpServer(world: World, listener: RequestListener): Server {
  return createServer({ requireHostHeader: false }, listener)
    .on('checkExpectation', listener)
    .on('clientError', answerBrokenRequest(world))
}
