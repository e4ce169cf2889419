// The HTTP server below the API: what Node would answer by itself is answered in our shape, or handed to the API.

import { createServer, type RequestListener, type Server } from 'node:http'
import type { World } from '@callgate/world/world'
import { answerBrokenRequest } from './answerError.ts'

/**
 * A server that does not listen yet. A request that expects what we do not know is served like any other (RFC 9110,
 * section 10.1.1, lets us ignore it): Node would refuse it without a body.
 */
export function createHttpServer(world: World, listener: RequestListener): Server {
  return createServer(listener).on('checkExpectation', listener).on('clientError', answerBrokenRequest(world))
}
