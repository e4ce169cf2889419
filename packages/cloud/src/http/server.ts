// The HTTP server below the API. It gives our shape to the answers that Node would send by itself, or leaves them to the API.

import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import type { World } from '@callgate/world/world'
import { beginsStream } from '../event/eventStreams.ts'
import { type ConnectionRules, type Connections, createConnections } from '../network/connections.ts'
import { answerBrokenRequest, refuseTunnel } from './answerError.ts'
import { noteReceived, type Stalls, watchStalls } from './stalls.ts'

/** How long a client may take, in milliseconds. */
interface Patience {
  /** From the connection's start, or the request's first byte. Then it is answered with 408. */
  readonly headersMs: number
  /** For headers and body. Then it is answered with 408. */
  readonly wholeMs: number
  /** How often Node checks these times. */
  readonly checkMs: number
  /** Without a byte in either direction; longer than any answer takes. Then the connection is cut. */
  readonly silentMs: number
  /** Between two requests. Longer than a proxy keeps a connection: otherwise it would send requests into one that we close. */
  readonly keptMs: number
}

const patience: Patience = {
  headersMs: 5_000,
  wholeMs: 30_000,
  checkMs: 1_000,
  silentMs: 75_000,
  keptMs: 125_000,
}

/** Sets a connection's rank at each step of a request: see `Rank`. */
function followRequests(connections: Connections<Socket>) {
  return (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const hasBody = 'content-length' in request.headers || 'transfer-encoding' in request.headers
    const spare = () => connections.become(socket, 'spare')
    if (hasBody) spare()
    else connections.become(socket, 'needed')
    request.once('end', () => {
      if (!response.writableEnded) connections.become(socket, 'needed')
    })
    // From here on the connection only waits for its client to read the answer and to send the next request.
    response.once('prefinish', spare)
    response.once(beginsStream, spare)
  }
}

/**
 * A server that does not listen yet. It serves a request with an unknown expectation like any other (RFC 9110, section 10.1.1,
 * allows that), and also one without a Host, which we do not use: Node would refuse both without a body.
 */
export function createHttpServer(
  world: World,
  listener: RequestListener,
  {
    rules,
    stalls,
    ...given
  }: Partial<Patience> & { readonly rules?: ConnectionRules; readonly stalls?: Stalls } = {},
): Server {
  const { checkMs, headersMs, keptMs, silentMs, wholeMs } = { ...patience, ...given }
  const options = {
    requireHostHeader: false,
    headersTimeout: headersMs,
    requestTimeout: wholeMs,
    connectionsCheckingInterval: checkMs,
    keepAliveTimeout: keptMs,
  }
  const connections = createConnections<Socket>(world, 'REST API', rules)
  const followRank = followRequests(connections)
  const follow = (request: IncomingMessage, response: ServerResponse) => {
    noteReceived(request, stalls)
    followRank(request, response)
  }
  const server = createServer(options, listener)
    .prependListener('request', follow)
    .prependListener('connection', socket => {
      stalls?.came()
      connections.add(socket)
    })
    .on('checkExpectation', (request, response) => {
      follow(request, response)
      listener(request, response)
    })
    .on('clientError', answerBrokenRequest(world))
    .on('connect', (_request, socket) => refuseTunnel(world, socket))
  server.timeout = silentMs
  return server
}

/** Answers requests after `open` is called. Earlier ones wait. Their ages count from before a stall of the process. */
export function waitingServer(world: World, app: { callback(): RequestListener }, rules: ConnectionRules) {
  const answer = app.callback()
  let open: () => void = () => {}
  const isOpen = new Promise<void>(resolve => {
    open = resolve
  })
  const stalls = watchStalls(world)
  const server = createHttpServer(
    world,
    (request, response) => void isOpen.then(() => answer(request, response)),
    { rules, stalls },
  )
  server.once('listening', stalls.start).once('close', stalls.stop)
  return { server, open: () => open() }
}
