// The daemon's local socket: it answers doctor, which then need not touch the modem, and whoever installs an update.

import { chmod, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import type { World } from '@callgate/world/world'
import {
  type DaemonHealth,
  type DaemonRest,
  type DaemonStatus,
  idleMs,
  mostClients,
  mostQuestionBytes,
  type Question,
  readQuestion,
  socketName,
} from './localMessages.ts'

/** The longest path of a Unix socket on Linux (unix(7)), without the zero at its end. */
const longestPath = 107

/** What the daemon answers to each question. */
export interface LocalAnswers {
  readonly status: () => DaemonStatus
  readonly health: () => DaemonHealth
  readonly rest: () => DaemonRest
}

export interface LocalServer {
  /** Closes the socket and every client. */
  close(): void
}

/** Answers each line of one client. A line that is too long or no question ends it. */
function serve(socket: Socket, answers: { readonly [Ask in Question['ask']]: () => object }): void {
  let waiting = ''
  socket.setEncoding('utf8')
  socket.setTimeout(idleMs, () => socket.destroy())
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: string) => {
    waiting += chunk
    const lines = waiting.split('\n')
    waiting = lines.pop() ?? ''
    for (const line of lines) {
      const question = readQuestion(line)
      if (!question) return void socket.destroy()
      socket.write(`${JSON.stringify(answers[question.ask]())}\n`)
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
  readonly answers: LocalAnswers
}): Promise<LocalServer | undefined> {
  const { answers, folder, world } = parts
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
    serve(socket, answers)
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
