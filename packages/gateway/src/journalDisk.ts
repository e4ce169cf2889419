// The journal's disk: an interface with the few file operations that a journal needs, and the real implementation.

import { constants } from 'node:fs'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const { O_CREAT, O_DSYNC, O_TRUNC, O_WRONLY } = constants

export interface DiskFailure {
  readonly ok: false
  /** The system's code, such as ENOSPC, EROFS, EIO. */
  readonly code: string
}
export type Done<T = void> = { readonly ok: true; readonly value: T } | DiskFailure

export interface OpenFile {
  /** Appends to the file. After a failure a part of `bytes` may be in the file. */
  append(bytes: Uint8Array): Promise<Done>
  /** Resolves when everything that was appended survives a power cut. */
  sync(): Promise<Done>
  close(): Promise<void>
}

/** Files of one folder, by name. */
export interface JournalDisk {
  /** The location of the files, for a person. */
  readonly place: string
  /** In bytes; undefined when there is no such file. */
  size(name: string): Promise<Done<number | undefined>>
  read(name: string): Promise<Done<Uint8Array>>
  /** Opens the file empty: its former content is lost. */
  open(name: string): Promise<Done<OpenFile>>
  /** The new name survives a power cut only after `syncFolder`. */
  rename(from: string, to: string): Promise<Done>
  /** Succeeds also when there is no such file. */
  remove(name: string): Promise<Done>
  syncFolder(): Promise<Done>
}

/** The system's code of an error; undefined for an error that is not the system's. */
export function systemCode(error: unknown): string | undefined {
  // Not tested: an error that does not come from the system would be a bug.
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

async function attempt<T>(work: () => Promise<T>): Promise<Done<T>> {
  try {
    return { ok: true, value: await work() }
  } catch (error) {
    const code = systemCode(error)
    // Not tested: a bug, so the error is thrown again to end the process.
    if (code === undefined) throw error
    return { ok: false, code }
  }
}

/** The files of a real folder, which only their owner can read. Makes the folder where it is missing. */
export function folderDisk(folder: string): JournalDisk {
  const path = (name: string) => join(folder, name)
  return {
    place: folder,
    async size(name) {
      const about = await attempt(() => stat(path(name)))
      if (about.ok) return { ok: true, value: about.value.size }
      return about.code === 'ENOENT' ? { ok: true, value: undefined } : about
    },
    read: name => attempt(() => readFile(path(name))),
    async open(name) {
      const opened = await attempt(async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        return open(path(name), O_WRONLY | O_CREAT | O_TRUNC | O_DSYNC, 0o600)
      })
      if (!opened.ok) return opened
      const file = opened.value
      return {
        ok: true,
        value: {
          append: bytes => attempt(() => file.appendFile(bytes)),
          // With O_DSYNC each write is on the disk when it returns, so INTENT needs one system call instead of two.
          sync: async () => ({ ok: true, value: undefined }),
          async close() {
            await attempt(() => file.close())
          },
        },
      }
    },
    rename: (from, to) => attempt(() => rename(path(from), path(to))),
    remove: name => attempt(() => rm(path(name), { force: true })),
    syncFolder: () =>
      attempt(async () => {
        const handle = await open(folder, 'r')
        try {
          await handle.sync()
        } finally {
          await handle.close()
        }
      }),
  }
}
