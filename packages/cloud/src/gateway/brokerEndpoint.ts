// The broker's listener: connections over TCP or TLS, from their accept to the stream that carries MQTT.

import { createServer, type Server, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { createServer as createTlsServer } from 'node:tls'
import type { Timer, World } from '@callgate/world/world'
import type { Certificate } from '../network/certificate.ts'

/** From the accept to the end of the TLS handshake. */
const handshakeWithinMs = 5_000

/** Both ends of a connection, addresses and ports: no two open connections share them. */
function endsOf({ localAddress, localPort, remoteAddress, remotePort }: Socket): string {
  return [localAddress, localPort, remoteAddress, remotePort].join(' ')
}

/**
 * The same stream, but a read without a size returns everything that is buffered. Since Node 26 such a read returns one chunk,
 * and aedes reads once at each `readable`: the rest would wait until further bytes arrive.
 */
export function readWhole<Stream extends Readable>(stream: Stream): Stream {
  const read = stream.read.bind(stream)
  stream.read = size => read(size ?? (stream.readableLength || undefined))
  return stream
}

export interface BrokerEndpointParts {
  readonly world: World
  /** With it the endpoint speaks only TLS. */
  readonly certificate: Certificate | undefined
  /** Called at the accept, before a handshake; false when the connection was closed. */
  accept(socket: Socket): boolean
  /** `stream` carries MQTT: it is `socket` itself, or TLS over it once the handshake is done. */
  serve(stream: Socket, socket: Socket): void
}

/** A server that does not listen yet. */
export function createBrokerEndpoint({ accept, certificate, serve, world }: BrokerEndpointParts): Server {
  if (!certificate)
    return createServer({ noDelay: true }, socket => {
      if (accept(socket)) serve(socket, socket)
    })
  const handshakes = new Map<string, { readonly socket: Socket; readonly timer: Timer }>()
  const server = createTlsServer({ ...certificate.pair, noDelay: true })
  // Runs after Node's own listener, which has put TLS over the connection.
  server.on('connection', socket => {
    if (!accept(socket)) return
    const ends = endsOf(socket)
    const timer = world.after(handshakeWithinMs, () => socket.destroy())
    const handshake = { socket, timer }
    handshakes.set(ends, handshake)
    socket.once('close', () => {
      timer.cancel()
      if (handshakes.get(ends) === handshake) handshakes.delete(ends)
    })
  })
  // Node does not say which connection this TLS stream belongs to.
  server.on('secureConnection', stream => {
    const handshake = handshakes.get(endsOf(stream))
    if (!handshake) return stream.destroy()
    handshake.timer.cancel()
    handshakes.delete(endsOf(stream))
    serve(stream, handshake.socket)
  })
  server.on('tlsClientError', (error, stream) => {
    world.log.debug('a TLS handshake failed', { why: error.message })
    stream.destroy()
  })
  server.once('listening', () => {
    const stop = certificate.watch(pair => server.setSecureContext(pair))
    server.once('close', stop)
  })
  return server
}
