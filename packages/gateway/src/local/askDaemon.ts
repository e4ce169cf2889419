// Asks the running daemon what it knows, through its local socket.

import { connect } from 'node:net'
import { join } from 'node:path'
import type { World } from '@callgate/world/world'
import {
  type DaemonHealth,
  type DaemonRest,
  type DaemonStatus,
  mostAnswerBytes,
  type Question,
  readHealth,
  readRest,
  readStatus,
  socketName,
} from './localMessages.ts'

const patienceMs = 3_000

export type Asked<Answer> =
  | { readonly ok: true; readonly answer: Answer }
  /** `why` is a sentence for a person. */
  | { readonly ok: false; readonly why: string }

const codes: Readonly<Record<string, string>> = {
  ENOENT: 'it has no local socket: it may be of an older version',
  ECONNREFUSED: 'its local socket is left over from an earlier run',
  EACCES: 'its local socket is for its own user: run the command as that user or with sudo',
}

function ask<Answer>(
  { folder, world }: { readonly world: World; readonly folder: string },
  question: Question,
  read: (line: string) => Answer | undefined,
): Promise<Asked<Answer>> {
  return new Promise(resolve => {
    const socket = connect(join(folder, socketName))
    let answer = ''
    const end = (asked: Asked<Answer>) => {
      limit.cancel()
      socket.destroy()
      resolve(asked)
    }
    const limit = world.after(patienceMs, () => end({ ok: false, why: 'it does not answer' }))
    socket.setEncoding('utf8')
    socket.once('connect', () => socket.write(`${JSON.stringify(question)}\n`))
    socket.once('error', error => {
      const code = 'code' in error ? String(error.code) : ''
      end({ ok: false, why: codes[code] ?? `its local socket says ${code}` })
    })
    socket.once('close', () => end({ ok: false, why: 'it has closed the local socket' }))
    socket.on('data', (chunk: string) => {
      answer += chunk
      const [line, rest] = answer.split('\n')
      if (answer.length > mostAnswerBytes) return end({ ok: false, why: 'its answer is too long' })
      if (line === undefined || rest === undefined) return
      const known = read(line)
      end(known ? { ok: true, answer: known } : { ok: false, why: 'it is of another version: restart it' })
    })
  })
}

/** Asks for the status; an answer of another version is refused. */
export const askStatus = (world: World, folder: string): Promise<Asked<DaemonStatus>> =>
  ask({ world, folder }, { ask: 'status' }, readStatus)

/** Asks whether it works, also one of another version. */
export const askHealth = (world: World, folder: string): Promise<Asked<DaemonHealth>> =>
  ask({ world, folder }, { ask: 'health' }, readHealth)

/** Asks it to claim nothing for `restMs`, so that it may be stopped. */
export const askRest = (world: World, folder: string): Promise<Asked<DaemonRest>> =>
  ask({ world, folder }, { ask: 'rest' }, readRest)
