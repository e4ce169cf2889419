// Asks the running daemon what it knows, through its local socket.

import { connect } from 'node:net'
import { join } from 'node:path'
import type { World } from '@callgate/world/world'
import { type DaemonStatus, mostAnswerBytes, type Question, readStatus, socketName } from './localMessages.ts'

const patienceMs = 3_000

export type Asked =
  | { readonly ok: true; readonly status: DaemonStatus }
  /** `why` is a sentence for a person. */
  | { readonly ok: false; readonly why: string }

const codes: Readonly<Record<string, string>> = {
  ENOENT: 'it has no local socket: it may be of an older version',
  ECONNREFUSED: 'its local socket is left over from an earlier run',
  EACCES: 'its local socket is for its own user: run the command as that user or with sudo',
}

/** Asks for the status; an answer of another version is refused. */
export function askDaemon(world: World, folder: string): Promise<Asked> {
  const question: Question = { ask: 'status' }
  return new Promise(resolve => {
    const socket = connect(join(folder, socketName))
    let answer = ''
    const end = (asked: Asked) => {
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
      const status = readStatus(line)
      end(status ? { ok: true, status } : { ok: false, why: 'it is of another version: restart it' })
    })
  })
}
