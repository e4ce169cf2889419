// A client that goes away after any byte: by a reset, by a half-close, or silently; in plain text or over TLS.

import { connect, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { connect as connectSecured } from 'node:tls'

export const cutWays = ['reset', 'halfClose', 'stall'] as const
export type CutWay = (typeof cutWays)[number]

/** Stalled connections, the oldest first. The oldest is closed when there are too many. */
const stalled: Socket[] = []
const keptStalled = 64

/** Closes the stalled connections. */
export function endStalled(): void {
  for (const socket of stalled.splice(0)) socket.destroy()
}

function open(port: number, way: CutWay): Socket {
  return connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: way === 'halfClose' })
}

/** Sends the last bytes, and goes away. Calls `whenDone` unless the end of the connection is still to come. */
function leave(socket: Socket, last: Uint8Array, way: CutWay, whenDone: () => void): void {
  if (way === 'halfClose') socket.end(last)
  else if (way === 'reset') socket.write(last, () => socket.resetAndDestroy())
  else
    socket.write(last, () => {
      stalled.push(socket)
      if (stalled.length > keptStalled) stalled.shift()?.destroy()
      whenDone()
    })
}

/**
 * Sends `bytes` to a port of this machine. Then it resets the connection, or closes its own half and reads until the
 * server closes, or sends nothing more. Resolves when that is done.
 */
export function cutOff(port: number, bytes: Uint8Array, way: CutWay): Promise<void> {
  return new Promise(resolve => {
    const socket = open(port, way)
    socket.on('error', () => {}).resume()
    socket.once('close', () => resolve())
    socket.once('connect', () => leave(socket, bytes, way, resolve))
  })
}

/**
 * Sends `dialogue` over TLS, and goes away like `cutOff` after `at` bytes on the wire: during the handshake, or within an
 * encrypted record. Resolves with the number of bytes that were sent; fewer than `at` if the server closed before.
 */
export function cutSecuredOff(port: number, dialogue: Uint8Array, at: number, way: CutWay): Promise<number> {
  return new Promise(resolve => {
    let sent = 0
    const done = () => resolve(sent)
    const socket = open(port, way)
    const wire = new Duplex({
      read: () => {},
      write(chunk: Buffer, _encoding, taken) {
        const part = chunk.subarray(0, at - sent)
        sent += part.length
        // Bytes after the cut are never read.
        if (sent < at) socket.write(part, taken)
        else leave(socket, part, way, done)
      },
    })
    const secured = connectSecured({ socket: wire, rejectUnauthorized: false })
    for (const stream of [socket, wire, secured]) stream.on('error', () => {})
    secured.once('secureConnect', () => secured.write(dialogue)).resume()
    socket.on('data', bytes => wire.push(bytes))
    socket.once('close', () => {
      wire.destroy()
      done()
    })
  })
}
