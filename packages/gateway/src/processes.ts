// Finds the processes of this machine that have a file or a socket open.

import { readdir, readFile, readlink, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'

export interface Holder {
  readonly pid: number
  /** The id of its user; undefined where the process has ended meanwhile. */
  readonly uid: number | undefined
  readonly program: string
}

/** The id of this process, and of the user that it acts as. */
export async function thisProcess(): Promise<{ readonly pid: number; readonly uid: number }> {
  const { uid } = await stat('/proc/self')
  return { pid: Number(await readlink('/proc/self')), uid }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => [])
}

const textOf = (path: string) => readFile(path, 'utf8').catch(() => '')

async function hasOpen(processFolder: string, target: string): Promise<boolean> {
  const folder = join(processFolder, 'fd')
  for (const name of await namesIn(folder))
    if ((await readlink(join(folder, name)).catch(() => '')) === target) return true
  return false
}

/**
 * The processes that have `target` open, which is an absolute path or `socket:[INODE]`. Only root sees those of other users.
 * `procFolder` is /proc, or another folder in tests.
 */
export async function holdersOf(target: string, procFolder = '/proc'): Promise<readonly Holder[]> {
  const found: Holder[] = []
  for (const id of (await namesIn(procFolder)).filter(name => /^\d+$/.test(name))) {
    const folder = join(procFolder, id)
    if (!(await hasOpen(folder, target))) continue
    const [program] = (await textOf(join(folder, 'cmdline'))).split('\0')
    const [, uid] = /^Uid:\s+(\d+)/m.exec(await textOf(join(folder, 'status'))) ?? []
    found.push({
      pid: Number(id),
      uid: uid === undefined ? undefined : Number(uid),
      program: program ? basename(program) : 'a program',
    })
  }
  return found
}
