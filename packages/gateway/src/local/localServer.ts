// The daemon's local socket: answers the commands of an installer and of updates, so that they need not touch the modem.

import { chmod, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import type { World } from '@callgate/world/world'
import {
  type AtAnswer,
  type DaemonHealth,
  type DaemonPause,
  type DaemonStatus,
  idleMs,
  mostClients,
  mostListeningMs,
  mostQuestionBytes,
  mostWaitingBytes,
  type Question,
  type RecordingLine,
  readQuestion,
  socketName,
  type TraceLine,
  type UnaskedLine,
} from './localMessages.ts'

/** A client asks once or a few times; each of its questions may use the modem. */
const mostQuestions = 8

/** The longest path of a Unix socket on Linux (unix(7)), without the final zero. */
const longestPath = 107

/** Starts to send lines to a listener, and returns the function that ends that. */
type Stream<Line> = (listener: (line: Line) => void) => () => void

/** What the daemon answers to each question. */
export interface LocalAnswers {
  readonly status: () => DaemonStatus
  readonly health: () => DaemonHealth
  readonly rest: () => DaemonPause
  readonly at: (line: string) => Promise<AtAnswer>
  readonly trace: Stream<TraceLine>
  readonly unasked: Stream<UnaskedLine>
  readonly recording: () => readonly string[]
}

export interface LocalServer {
  /** Closes the socket and every client. */
  close(): void
}

/**
 * Sends a client lines from now on. It may be silent, but is cut off when it does not read, and after the longest time of
 * listening.
 */
function tell(world: World, socket: Socket, stream: Stream<object>): void {
  socket.setTimeout(0)
  const limit = world.after(mostListeningMs, () => socket.destroy())
  const stop = stream(line => {
    if (socket.writableLength > mostWaitingBytes) socket.destroy()
    else socket.write(`${JSON.stringify(line)}\n`)
  })
  socket.once('close', () => {
    limit.cancel()
    stop()
  })
}

/** Resolves when the client has read, or is gone: one that reads nothing is cut off by the time limit. */
function readOn(socket: Socket): Promise<void> {
  return new Promise(resolve => {
    const end = () => {
      socket.off('drain', end)
      socket.off('close', end)
      resolve()
    }
    socket.on('drain', end)
    socket.on('close', end)
  })
}

/** Sends all lines, as fast as the client reads them, and then the end. */
async function tellAll(socket: Socket, lines: readonly string[]): Promise<void> {
  for (const line of [...lines, null]) {
    if (socket.destroyed) return
    const isRead = socket.write(`${JSON.stringify({ line } satisfies RecordingLine)}\n`)
    if (!isRead) await readOn(socket)
  }
}

async function answer(
  world: World,
  socket: Socket,
  question: Question,
  answers: LocalAnswers,
): Promise<void> {
  const say = (said: object) => void (socket.writable && socket.write(`${JSON.stringify(said)}\n`))
  switch (question.ask) {
    case 'at':
      return say(await answers.at(question.line))
    case 'trace':
    case 'unasked':
      return tell(world, socket, answers[question.ask] as Stream<object>)
    case 'recording':
      return tellAll(socket, answers.recording())
    default:
      return say(answers[question.ask]())
  }
}

/** Answers each line of one client. A line that is too long or not a question ends the connection. */
function serve(world: World, socket: Socket, answers: LocalAnswers): void {
  let waiting = ''
  let questions = 0
  socket.setEncoding('utf8')
  socket.setTimeout(idleMs, () => socket.destroy())
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: string) => {
    waiting += chunk
    const lines = waiting.split('\n')
    waiting = lines.pop() ?? ''
    for (const line of lines) {
      const question = readQuestion(line)
      if (!question || ++questions > mostQuestions) return void socket.destroy()
      void answer(world, socket, question, answers)
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
 * Opens the socket in `folder`, which must be locked, and replaces the socket of an earlier run. Where it cannot be opened, the
 * daemon works without it: the result is undefined, and a warning is logged.
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
    serve(world, socket, answers)
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
