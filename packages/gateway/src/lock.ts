// The lock: one daemon per identity and per data folder on a machine.

import { createHash } from 'node:crypto'
import { connect, createServer, type Server } from 'node:net'
import { systemCode } from './journalDisk.ts'

export type Locked =
  | { readonly ok: true; release(): void }
  /** `name` is the one that could not be taken. */
  | { readonly ok: false; readonly name: string; readonly code: string }

/**
 * A name in Linux's abstract socket namespace (unix(7)). It is taken atomically, and it is free again when the process
 * dies in any way. So there is never a stale lock.
 */
function addressOf(name: string): string {
  return `\0callgate-gateway-${createHash('sha256').update(name).digest('hex').slice(0, 32)}`
}

function take(name: string): Promise<Server | string> {
  return new Promise((resolve, reject) => {
    const server = createServer(socket => socket.destroy())
    server.once('error', error => {
      const code = systemCode(error)
      if (code === undefined) reject(error)
      else resolve(code)
    })
    server.listen(addressOf(name), () => resolve(server.unref()))
  })
}

/** Takes all names or none, until `release` or the end of the process. `EADDRINUSE`: another process has the name. */
export async function lock(names: readonly string[]): Promise<Locked> {
  const servers: Server[] = []
  const release = () => {
    for (const server of servers) server.close()
  }
  for (const name of names) {
    const taken = await take(name)
    if (typeof taken === 'string') {
      release()
      return { ok: false, name, code: taken }
    }
    servers.push(taken)
  }
  return { ok: true, release }
}

/** Whether another process holds the name now. It takes nothing, so it is in nobody's way. */
export function isLocked(name: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(addressOf(name))
    const answer = (isHeld: boolean) => {
      socket.destroy()
      resolve(isHeld)
    }
    socket.once('connect', () => answer(true))
    socket.once('error', () => answer(false))
  })
}
