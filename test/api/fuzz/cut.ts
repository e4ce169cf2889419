// A client that goes away after any byte: by a reset, by a half-close, or silently.

import { connect, type Socket } from 'node:net'

export const cutWays = ['reset', 'halfClose', 'stall'] as const
export type CutWay = (typeof cutWays)[number]

/** Connections that stall, the oldest first. The oldest is closed when there are too many. */
const stalled: Socket[] = []
const keptStalled = 64

/** Closes the connections that stall. */
export function endStalled(): void {
  for (const socket of stalled.splice(0)) socket.destroy()
}

/**
 * Sends `bytes` to a port of this machine. Then it resets the connection, or closes its own half and reads until the
 * server closes, or sends nothing more. Resolves when that is done.
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
