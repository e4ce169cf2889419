// The lock: one daemon per identity and per data folder on a machine.

import { createHash } from 'node:crypto'
import { connect, createServer, type Server } from 'node:net'
import type { World } from '@callgate/world/world'
import { systemCode } from './journalDisk.ts'

export type Locked =
  | { readonly ok: true; release(): void }
  /** `name` is the one that could not be taken. `tool`: the command that has it for a while; undefined: a daemon, or nobody knows. */
  | { readonly ok: false; readonly name: string; readonly code: string; readonly tool: string | undefined }

/**
 * A name in Linux's abstract socket namespace (unix(7)). It is taken atomically, and it is free again when the process
 * dies in any way. So there is never a stale lock.
 */
function addressOf(name: string): string {
  return `\0callgate-gateway-${createHash('sha256').update(name).digest('hex').slice(0, 32)}`
}

function take(name: string, tool: string): Promise<Server | string> {
  return new Promise((resolve, reject) => {
    const server = createServer(socket => {
      socket.once('error', () => socket.destroy())
      socket.end(tool)
    })
    server.once('error', error => {
      const code = systemCode(error)
      if (code === undefined) reject(error)
      else resolve(code)
    })
    server.listen(addressOf(name), () => resolve(server.unref()))
  })
}

/** A process that is stopped says nothing. */
const saysWithinMs = 1_000

/** What whoever holds the name says that it is. */
function toolOf(name: string): Promise<string | undefined> {
  return new Promise(resolve => {
    const socket = connect(addressOf(name)).setEncoding('utf8').setTimeout(saysWithinMs)
    let said = ''
    const end = () => {
      socket.destroy()
      resolve(/^[a-z-]{1,20}$/.test(said) ? said : undefined)
    }
    socket.on('data', (text: string) => {
      said += text
      if (said.length > 20) end()
    })
    for (const event of ['end', 'error', 'timeout']) socket.once(event, end)
  })
}

/**
 * Takes all names or none, until `release` or the end of the process. `EADDRINUSE`: another process has the name. `tool` is the
 * command that takes them, unless it is the daemon.
 */
export async function lock(names: readonly string[], tool = ''): Promise<Locked> {
  const servers: Server[] = []
  const release = () => {
    for (const server of servers) server.close()
  }
  for (const name of names) {
    const taken = await take(name, tool)
    if (typeof taken === 'string') {
      release()
      return { ok: false, name, code: taken, tool: await toolOf(name) }
    }
    servers.push(taken)
  }
  return { ok: true, release }
}

/** Less than TimeoutStartSec of the unit less what the daemon takes to be ready. Doctor needs up to 50 s. */
const toolEndsWithinMs = 50_000
const tryEveryMs = 500

/** Takes all names for the daemon, and waits up to 50 s for a command that has them. `onWait` is told once which one it is. */
export async function lockForDaemon(
  world: World,
  names: readonly string[],
  onWait: (tool: string) => void,
): Promise<Locked> {
  const endMs = world.monotonicMs() + toolEndsWithinMs
  let isTold = false
  let isSilent = false
  for (;;) {
    const locked = await lock(names)
    if (locked.ok || world.monotonicMs() >= endMs) return locked
    const { tool } = locked
    if (tool === undefined && isSilent) return locked
    // A command that has just ended says nothing either, so whoever does is asked once more.
    isSilent = tool === undefined
    if (tool === undefined) continue
    if (!isTold) onWait(tool)
    isTold = true
    await new Promise<void>(resolve => void world.after(tryEveryMs, resolve))
  }
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
