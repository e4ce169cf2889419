// The lock: one daemon per identity and per data folder on a machine, one enrolment, and one update.

import { spawn } from 'node:child_process'
import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs'
import { mkdir, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { World } from '@callgate/world/world'
import type { GatewayConfig } from './config.ts'
import { formerHolder } from './formerLock.ts'
import { systemCode } from './journalDisk.ts'
import { thisProcess } from './processes.ts'

/**
 * A file that is locked. Other users of the machine cannot open it, so none of them can keep a program from locking it. It stays
 * when the lock is released.
 */
export interface LockPlace {
  readonly file: string
  /** The file has content of its own: it is neither written nor made here. */
  readonly isBorrowed?: boolean
  /** The lock of earlier versions for the same purpose: `formerLock.ts`. */
  readonly formerName: string
}

export interface NotLocked {
  readonly ok: false
  /** The file that could not be locked. */
  readonly file: string
  /** `held`: another process has it. Otherwise the system's code, or `no_flock` where that program is missing. */
  readonly code: string
  /** The command that holds it for a while; undefined: a daemon, or unknown. */
  readonly tool: string | undefined
  /** The process that holds it, where it is known. */
  readonly pid: number | undefined
}

export type Locked = { readonly ok: true; release(): void } | NotLocked

/** The lock file of a folder. */
export const lockIn = (folder: string, formerName = folder): LockPlace => ({
  file: join(folder, 'lock'),
  formerName,
})

/**
 * The locks of a daemon, and of each command that must not run beside one. `folder` is the data folder as `realpath` returns it.
 */
function daemonPlaces({ gatewayId, privateKeyFile }: GatewayConfig, folder: string): readonly LockPlace[] {
  return [lockIn(folder), { file: privateKeyFile, isBorrowed: true, formerName: gatewayId }]
}

/** Gives a file that root makes to the owner of its folder, who could not open it otherwise. */
function giveToOwnerOf(folder: string, fd: number): void {
  const { gid, uid } = statSync(folder)
  if (fstatSync(fd).uid === 0 && uid !== 0) fchownSync(fd, uid, gid)
}

function open({ file, isBorrowed = false }: LockPlace): number {
  const { O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = constants
  if (isBorrowed) return openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  const fd = openSync(file, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
  try {
    giveToOwnerOf(dirname(file), fd)
  } catch (error) {
    closeSync(fd)
    throw error
  }
  return fd
}

/**
 * Locks an open file by flock(2), which Node cannot call: flock(1) does so with the descriptor that it inherits. The lock belongs
 * to the open file, so it lasts until this process closes the file or dies. Returns undefined, or the error.
 */
function lockOpen(fd: number): Promise<string | undefined> {
  return new Promise(resolve => {
    const child = spawn('flock', ['-n', '3'], { stdio: ['ignore', 'ignore', 'ignore', fd] })
    child.once('error', error => resolve(systemCode(error) === 'ENOENT' ? 'no_flock' : systemCode(error)))
    child.once('exit', code => resolve(code === 0 ? undefined : code === 1 ? 'held' : `flock_${code}`))
  })
}

/** Long enough for every note. All notes have this length, so that a new one needs no new space on a full disk. */
const noteBytes = 64

/** Writes the holder into the file. The note is for people only, so a failure to write it is ignored. */
function leaveNote(fd: number, pid: number, tool: string): void {
  const note = JSON.stringify({ pid, ...(tool && { tool }) })
  try {
    writeSync(fd, `${note.padEnd(noteBytes - 1)}\n`, 0)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
  }
}

/** The holder by the note in the file. */
function noteIn(fd: number): Pick<NotLocked, 'pid' | 'tool'> {
  try {
    const note: unknown = JSON.parse(readFileSync(fd, 'utf8'))
    const { pid, tool } = note as { pid?: unknown; tool?: unknown }
    return {
      pid: typeof pid === 'number' ? pid : undefined,
      tool: typeof tool === 'string' && /^[a-z-]{1,20}$/.test(tool) ? tool : undefined,
    }
  } catch {
    // The holder has not written its note yet.
    return { pid: undefined, tool: undefined }
  }
}

async function take(place: LockPlace, tool: string): Promise<number | NotLocked> {
  const { file, formerName, isBorrowed = false } = place
  let fd: number
  try {
    fd = open(place)
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    return { ok: false, file, code, tool: undefined, pid: undefined }
  }
  const code = await lockOpen(fd)
  const { pid, uid } = await thisProcess()
  const uids = [uid, statSync(dirname(file)).uid]
  const before = code === undefined ? await formerHolder(formerName, uids) : undefined
  if (code === undefined && !before) {
    if (!isBorrowed) leaveNote(fd, pid, tool)
    return fd
  }
  const holder = before ?? (code === 'held' && !isBorrowed ? noteIn(fd) : { pid: undefined, tool: undefined })
  closeSync(fd)
  return { ok: false, file, code: code ?? 'held', ...holder }
}

/** The text for a file that cannot be locked although nobody else holds it. */
export const sayLockFault = ({ code, file }: NotLocked): string =>
  code === 'no_flock' ? "the program flock is missing, of Debian's package util-linux" : `${file}: ${code}`

/** Locks all files or none, until `release` or the end of the process. `tool` is the command that locks; empty for the daemon. */
export async function lock(places: readonly LockPlace[], tool = ''): Promise<Locked> {
  const taken: number[] = []
  const release = () => {
    for (const fd of taken.splice(0)) closeSync(fd)
  }
  for (const place of places) {
    const fd = await take(place, tool)
    if (typeof fd !== 'number') {
      release()
      return fd
    }
    taken.push(fd)
  }
  return { ok: true, release }
}

/** Keeps daemons from running beside a command. Where the data folder is missing, no daemon has ever run. */
export async function lockForTool(config: GatewayConfig, tool: string): Promise<Locked> {
  const folder = await realpath(config.dataFolder).catch(() => undefined)
  const places = daemonPlaces(config, folder ?? config.dataFolder)
  return lock(folder === undefined ? places.slice(1) : places, tool)
}

/** Whether another process holds it now. The check locks it for a moment. */
export async function isHeld(place: LockPlace): Promise<boolean> {
  const locked = await lock([place])
  if (locked.ok) locked.release()
  return !locked.ok && locked.code === 'held'
}

/** TimeoutStartSec of the unit, minus the time that the daemon needs to be ready, is more than this. Doctor needs up to 50 s. */
const toolEndsWithinMs = 50_000
const tryEveryMs = 500

/**
 * Locks everything for the daemon, makes its data folder where it is missing, and waits up to 50 s for a command that holds a
 * lock. `onWait` is called once with the name of the command. Rejects with the system's error where the folder cannot be made.
 */
export async function lockForDaemon(
  world: World,
  config: GatewayConfig,
  onWait: (tool: string) => void,
): Promise<Locked> {
  await mkdir(config.dataFolder, { recursive: true, mode: 0o700 })
  const places = daemonPlaces(config, await realpath(config.dataFolder))
  const endMs = world.monotonicMs() + toolEndsWithinMs
  let isTold = false
  let isSilent = false
  for (;;) {
    const locked = await lock(places)
    if (locked.ok || world.monotonicMs() >= endMs) return locked
    const { code, tool } = locked
    if (code !== 'held' || (tool === undefined && isSilent)) return locked
    // A command that has just begun has not written its note yet, so a holder without a note is checked once more.
    isSilent = tool === undefined
    if (tool !== undefined && !isTold) {
      onWait(tool)
      isTold = true
    }
    await new Promise<void>(resolve => void world.after(tryEveryMs, resolve))
  }
}
