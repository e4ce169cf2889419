// The daemon's local socket: it answers doctor, which then need not touch the modem.

import { chmod, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import type { World } from '@callgate/world/world'
import {
  type DaemonStatus,
  idleMs,
  mostClients,
  mostQuestionBytes,
  readQuestion,
  socketName,
} from './localMessages.ts'

/** The longest path of a Unix socket on Linux (unix(7)), without the zero at its end. */
const longestPath = 107

export interface LocalServer {
  /** Closes the socket and every client. */
  close(): void
}

/** Answers each line of one client. A line that is too long or no question ends it. */
function serve(socket: Socket, status: () => DaemonStatus): void {
  let waiting = ''
  socket.setEncoding('utf8')
  socket.setTimeout(idleMs, () => socket.destroy())
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: string) => {
    waiting += chunk
    const lines = waiting.split('\n')
    waiting = lines.pop() ?? ''
    for (const line of lines) {
      if (!readQuestion(line)) return void socket.destroy()
      socket.write(`${JSON.stringify(status())}\n`)
    }
    if (waiting.length > mostQuestionBytes) socket.destroy()
  })
}

function listen(server: Server, path: string): Promise<string | undefined> {
  return new Promise(resolve => {
    server.once('error', error => resolve(error.message))
    server.listen(path, () => resolve(undefined))
  })
}

/**
 * Opens the socket in `folder`, which must be locked. What an earlier run left there is replaced. Where it cannot be
 * opened, the daemon serves without it: a warning says so, and undefined is the result.
 */
export async function openLocalServer(parts: {
  readonly world: World
  readonly folder: string
  readonly status: () => DaemonStatus
}): Promise<LocalServer | undefined> {
  const { folder, status, world } = parts
  const path = join(folder, socketName)
  const refuse = (problem: string) => {
    world.log.warn('the local socket cannot be opened, so that doctor knows less', { problem })
    return undefined
  }
  if (Buffer.byteLength(path) > longestPath) return refuse(`the path ${path} is too long for a socket`)
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    serve(socket, status)
  })
  server.maxConnections = mostClients
  try {
    await rm(path, { force: true })
    const problem = await listen(server, path)
    if (problem !== undefined) return refuse(problem)
    await chmod(path, 0o600)
  } catch (error) {
    server.close()
    return refuse(String(error))
  }
  server.unref()
  return {
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
