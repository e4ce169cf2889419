// Sends requests to the running daemon through its local socket, or listens to it.

import { connect } from 'node:net'
import { join } from 'node:path'
import type { World } from '@callgate/world/world'
import {
  type AtAnswer,
  type DaemonHealth,
  type DaemonPause,
  type DaemonStatus,
  mostAnswerBytes,
  type Question,
  readAtAnswer,
  readHealth,
  readPause,
  readRecordingLine,
  readStatus,
  readTraceLine,
  readUnaskedLine,
  socketName,
  type TraceLine,
  type UnaskedLine,
} from './localMessages.ts'

const patienceMs = 3_000
/** A modem that answers late is synchronized first. */
const modemPatienceMs = 35_000

export type DaemonAnswer<Answer> =
  | { readonly ok: true; readonly answer: Answer }
  /** `why` is a sentence for a person. */
  | { readonly ok: false; readonly why: string }

const noSocket = 'it has no local socket: it may be of an older version'
const oldSocket = 'its local socket is left over from an earlier run'
/** Errors that also occur while a daemon starts. */
const notListening: ReadonlySet<string> = new Set([noSocket, oldSocket])
const codes: Readonly<Record<string, string>> = {
  ENOENT: noSocket,
  ECONNREFUSED: oldSocket,
  EACCES: 'its local socket is for its own user: run the command as that user or with sudo',
}
const otherVersion = 'it is of another version: restart it'

interface DaemonLocation {
  readonly world: World
  /** The daemon's data folder. */
  readonly folder: string
}

/** Sends one question to the daemon and passes its lines on, until `close`; `onEnd` is called once with the reason of the end. */
function converse(
  { folder }: DaemonLocation,
  question: Question,
  { onEnd, onLine }: { onLine(line: string): void; onEnd(why: string): void },
): { close(): void } {
  const socket = connect(join(folder, socketName))
  let answer = ''
  let hasEnded = false
  const end = (why?: string) => {
    if (hasEnded) return
    hasEnded = true
    socket.destroy()
    if (why !== undefined) onEnd(why)
  }
  socket.setEncoding('utf8')
  socket.once('connect', () => socket.write(`${JSON.stringify(question)}\n`))
  socket.once('error', error => {
    const code = 'code' in error ? String(error.code) : ''
    end(codes[code] ?? `its local socket says ${code}`)
  })
  socket.once('close', () => end('it has closed the local socket'))
  socket.on('data', (chunk: string) => {
    answer += chunk
    const lines = answer.split('\n')
    answer = lines.pop() ?? ''
    for (const line of lines) if (!hasEnded) onLine(line)
    if (answer.length > mostAnswerBytes) end('its answer is too long')
  })
  return { close: () => end() }
}

function ask<Answer>(
  place: DaemonLocation,
  question: Question,
  read: (line: string) => Answer | undefined,
  withinMs = patienceMs,
): Promise<DaemonAnswer<Answer>> {
  return new Promise(resolve => {
    const end = (asked: DaemonAnswer<Answer>) => {
      limit.cancel()
      conversation.close()
      resolve(asked)
    }
    const limit = place.world.after(withinMs, () => end({ ok: false, why: 'it does not answer' }))
    const conversation = converse(place, question, {
      onEnd: why => end({ ok: false, why }),
      onLine(line) {
        const known = read(line)
        end(known ? { ok: true, answer: known } : { ok: false, why: otherVersion })
      },
    })
  })
}

/** Listens until the returned function is called; `onEnd` gets the reason why the daemon sends no more. */
function listen<Line>(
  place: DaemonLocation,
  question: Question,
  read: (line: string) => Line | undefined,
  { onEnd, onLine }: Listener<Line>,
): () => void {
  const conversation = converse(place, question, {
    onEnd,
    onLine(line) {
      const known = read(line)
      if (known) return onLine(known)
      conversation.close()
      onEnd(otherVersion)
    },
  })
  return conversation.close
}

export interface Listener<Line> {
  onLine(line: Line): void
  onEnd(why: string): void
}

/** The longest time between a daemon's lock and its socket. */
const startsWithinMs = 5_000
const askAgainEveryMs = 250

/** Asks for the status, also where the daemon has only just started. An answer of another version is rejected. */
export async function askStatus(world: World, folder: string): Promise<DaemonAnswer<DaemonStatus>> {
  const endMs = world.monotonicMs() + startsWithinMs
  for (;;) {
    const asked = await ask({ world, folder }, { ask: 'status' }, readStatus)
    if (asked.ok || !notListening.has(asked.why) || world.monotonicMs() >= endMs) return asked
    await new Promise<void>(resolve => void world.after(askAgainEveryMs, resolve))
  }
}

/** Asks whether the daemon works; its version may differ. */
export const askHealth = (world: World, folder: string): Promise<DaemonAnswer<DaemonHealth>> =>
  ask({ world, folder }, { ask: 'health' }, readHealth)

/** Asks the daemon to claim nothing for `pauseMs`, so that it may be stopped. */
export const askPause = (world: World, folder: string): Promise<DaemonAnswer<DaemonPause>> =>
  ask({ world, folder }, { ask: 'rest' }, readPause)

/** Sends a typed line to the modem. */
export const askAt = (world: World, folder: string, line: string): Promise<DaemonAnswer<AtAnswer>> =>
  ask({ world, folder }, { ask: 'at', line }, readAtAnswer, modemPatienceMs)

const recordingWithinMs = 20_000

/** Asks for the lines of the modem in its last set-up and its last calls. */
export function askRecording(world: World, folder: string): Promise<DaemonAnswer<readonly string[]>> {
  return new Promise(resolve => {
    const lines: string[] = []
    const end = (asked: DaemonAnswer<readonly string[]>) => {
      limit.cancel()
      stop()
      resolve(asked)
    }
    const limit = world.after(recordingWithinMs, () => end({ ok: false, why: 'it does not answer' }))
    const stop = listen({ world, folder }, { ask: 'recording' }, readRecordingLine, {
      onEnd: why => end({ ok: false, why }),
      onLine: ({ line }) => (line === null ? end({ ok: true, answer: lines }) : void lines.push(line)),
    })
  })
}

/** Listens from now on to the steps of openings. */
export const listenToTrace = (world: World, folder: string, listener: Listener<TraceLine>) =>
  listen({ world, folder }, { ask: 'trace' }, readTraceLine, listener)

/** Listens from now on to the modem's unsolicited lines. */
export const listenToModem = (world: World, folder: string, listener: Listener<UnaskedLine>) =>
  listen({ world, folder }, { ask: 'unasked' }, readUnaskedLine, listener)
