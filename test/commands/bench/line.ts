// A slow line between a browser and a server: a TCP proxy with a round trip, a rate, and the slow start of TCP.

import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface LineSpeed {
  /** For each direction, shared by all connections. */
  readonly bitsPerSecond: number
  readonly roundTripMs: number
}

export interface Line {
  /** The address of the server over the line, on 127.0.0.1. */
  readonly port: number
  /** Ends every connection, as after a while without use. */
  dropConnections(): void
  close(): void
}

const packetBytes = 1_460
/** The bytes that a sender may have on the way before the first acknowledgement (RFC 6928). */
const firstWindow = 10 * packetBytes

/** One direction of the line, and when it is free for the next packet. */
interface Lane {
  freeAtMs: number
}

/** Carries the bytes of one end to the other. Nothing leaves before `openAtMs`. */
function carry(
  from: Socket,
  to: Socket,
  lane: Lane,
  { bitsPerSecond, roundTripMs }: LineSpeed,
  openAtMs: number,
) {
  const waiting: Buffer[] = []
  const flying: Buffer[] = []
  let flyingBytes = 0
  let window = firstWindow
  let hasEnded = false
  const endIfDone = () => {
    if (hasEnded && waiting.length + flying.length === 0) to.end()
  }
  const send = () => {
    while (waiting[0] && flyingBytes + waiting[0].length <= window) {
      const packet = waiting.shift() as Buffer
      const { length } = packet
      const nowMs = performance.now()
      lane.freeAtMs = Math.max(nowMs, openAtMs, lane.freeAtMs) + (length * 8_000) / bitsPerSecond
      flying.push(packet)
      flyingBytes += length
      // In the order in which they left, whichever timer fires first.
      setTimeout(
        () => {
          const arrived = flying.shift()
          if (arrived && to.writable) to.write(arrived)
          endIfDone()
        },
        lane.freeAtMs - nowMs + roundTripMs / 2,
      )
      // Each acknowledged packet allows one more on the way.
      setTimeout(
        () => {
          flyingBytes -= length
          window += length
          send()
        },
        lane.freeAtMs - nowMs + roundTripMs,
      )
    }
  }
  from.on('data', (chunk: Buffer) => {
    for (let at = 0; at < chunk.length; at += packetBytes) waiting.push(chunk.subarray(at, at + packetBytes))
    send()
  })
  from.once('end', () => {
    hasEnded = true
    endIfDone()
  })
  from.on('error', () => to.destroy())
  from.once('close', () => {
    if (!hasEnded) to.destroy()
  })
}

/** Opens a line to a server on this machine. A new connection costs one round trip, like its TCP handshake. */
export async function openLine(serverPort: number, speed: LineSpeed): Promise<Line> {
  const sockets = new Set<Socket>()
  const down: Lane = { freeAtMs: 0 }
  const up: Lane = { freeAtMs: 0 }
  const server = createServer({ allowHalfOpen: true }, near => {
    const far = connect({ port: serverPort, host: '127.0.0.1', allowHalfOpen: true })
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.once('close', () => sockets.delete(socket))
    }
    carry(near, far, up, speed, performance.now() + speed.roundTripMs)
    carry(far, near, down, speed, 0)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const dropConnections = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    dropConnections,
    close() {
      server.close()
      dropConnections()
    },
  }
}
