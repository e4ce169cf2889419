// Finds the processes of this machine that have a file or a socket open.

import type { Stats } from 'node:fs'
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

/** Of the files of a process in /proc. */
type IsMeant = (openFile: string) => Promise<boolean>

async function hasOpen(processFolder: string, isMeant: IsMeant): Promise<boolean> {
  const folder = join(processFolder, 'fd')
  for (const name of await namesIn(folder)) if (await isMeant(join(folder, name))) return true
  return false
}

/** The processes that have open what is meant. Only root sees those of other users. */
async function holdersOf(isMeant: IsMeant, procFolder: string): Promise<readonly Holder[]> {
  const found: Holder[] = []
  for (const id of (await namesIn(procFolder)).filter(name => /^\d+$/.test(name))) {
    const folder = join(procFolder, id)
    if (!(await hasOpen(folder, isMeant))) continue
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

/** The processes that have open the socket with this inode. `procFolder` is /proc, or another folder in tests. */
export const holdersOfSocket = (inode: string, procFolder = '/proc'): Promise<readonly Holder[]> =>
  holdersOf(async openFile => (await readlink(openFile).catch(() => '')) === `socket:[${inode}]`, procFolder)

/** What tells one file or device from another. */
export type FileFacts = Pick<Stats, 'dev' | 'ino' | 'rdev'> & { isCharacterDevice(): boolean }

/** The kernel has these major numbers for the terminals in /dev/pts (Documentation/admin-guide/devices.txt). */
const terminalMajors = { first: 136, last: 143 } as const
/** Of a device number, as glibc's `major` reads it from one below 2^32. */
const majorOf = (rdev: number) => (rdev >>> 8) & 0xfff

/**
 * Whether both are the same file or character device. A path says nothing: each container has a /dev/pts of its own, with terminals
 * of the same names and numbers, so those are the same only in one file system. Any other device is the one that its number
 * names, in whichever /dev it is.
 */
export function isSameFile(one: FileFacts, other: FileFacts): boolean {
  if (one.dev === other.dev && one.ino === other.ino) return true
  if (!one.isCharacterDevice() || !other.isCharacterDevice() || one.rdev !== other.rdev) return false
  const major = majorOf(one.rdev)
  return major < terminalMajors.first || major > terminalMajors.last
}

/** The processes that have the file or device at `path` open. `procFolder` is /proc, or another folder in tests. */
export async function holdersOfFile(path: string, procFolder = '/proc'): Promise<readonly Holder[]> {
  const factsOf = (at: string) => stat(at).catch(() => undefined)
  const meant = await factsOf(path)
  if (!meant) return []
  const isMeant = async (openFile: string) => {
    const facts = await factsOf(openFile)
    return facts !== undefined && isSameFile(facts, meant)
  }
  return holdersOf(isMeant, procFolder)
}
