// A client that goes away: after any byte, by a reset, by a half-close, or without a word.

import { connect, type Socket } from 'node:net'

export const cutWays = ['reset', 'halfClose', 'stall'] as const
export type CutWay = (typeof cutWays)[number]

/** Connections that stall, the oldest first: each is closed when there are too many. */
const stalled: Socket[] = []
const keptStalled = 64

/** Closes what stalls. */
export function endStalled(): void {
  for (const socket of stalled.splice(0)) socket.destroy()
}

/**
 * Sends `bytes` to a port of this machine, and then resets the connection, ends its own half and reads on until the
 * server closes, or says nothing more. Resolves when it has.
 */
export function cutOff(port: number, bytes: Uint8Array, way: CutWay): Promise<void> {
  return new Promise(resolve => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: way === 'halfClose' })
    socket.on('error', () => {}).resume()
    socket.once('close', () => resolve())
    socket.once('connect', () => {
      if (way === 'halfClose') socket.end(bytes)
      else if (way === 'reset') socket.write(bytes, () => socket.resetAndDestroy())
      else
        socket.write(bytes, () => {
          stalled.push(socket)
          if (stalled.length > keptStalled) stalled.shift()?.destroy()
          resolve()
        })
    })
  })
}
