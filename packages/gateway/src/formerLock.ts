// The lock of earlier versions: a name in Linux's abstract socket namespace (unix(7)). Any user of the machine can hold such a
// name, so it counts only where a process of the right user holds it. Delete this when no gateway has such a version any more.

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { holdersOfSocket } from './processes.ts'

export interface FormerHolder {
  readonly pid: number
  /** The command that holds it for a while; undefined: a daemon. */
  readonly tool: string | undefined
}

/** The name as in /proc/net/unix, which writes `@` for the zero at its beginning. */
function shownName(name: string): string {
  return `@callgate-gateway-${createHash('sha256').update(name).digest('hex').slice(0, 32)}`
}

/** The inode of the socket that listens at this name; undefined where none does. */
async function listenerAt(name: string, procFolder: string): Promise<string | undefined> {
  const text = await readFile(join(procFolder, 'self/net/unix'), 'utf8').catch(() => '')
  for (const line of text.split('\n')) {
    const [, , , flags, , , inode, path] = line.trim().split(/\s+/)
    // An accepted connection also has the name. __SO_ACCEPTCON marks the listening one.
    if (path === name && flags === '00010000') return inode
  }
  return undefined
}

/** A stopped process does not answer. */
const saysWithinMs = 1_000

/** The holder's answer to what it is. */
function toolAt(name: string): Promise<string | undefined> {
  return new Promise(resolve => {
    const socket = connect(name.replace('@', '\0')).setEncoding('utf8').setTimeout(saysWithinMs)
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

/** Whether any process holds the name, also one of another user. */
export const isFormerNameHeld = async (name: string, procFolder = '/proc'): Promise<boolean> =>
  (await listenerAt(shownName(name), procFolder)) !== undefined

/**
 * The process of one of the users `uids` that holds this name; undefined where none does, or another user's process does. A
 * process that this user may not inspect counts as another user's. `procFolder` is /proc, or another folder in tests.
 */
export async function formerHolder(
  name: string,
  uids: readonly number[],
  procFolder = '/proc',
): Promise<FormerHolder | undefined> {
  const shown = shownName(name)
  const inode = await listenerAt(shown, procFolder)
  if (inode === undefined) return undefined
  const holders = await holdersOfSocket(inode, procFolder)
  const own = holders.find(({ uid }) => uid !== undefined && uids.includes(uid))
  return own && { pid: own.pid, tool: await toolAt(shown) }
}
