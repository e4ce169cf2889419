// Whether a program has the virtual serial port open, by inotify(7): the kernel reports each open and close of its path.

import { closeSync, readSync } from 'node:fs'

export interface PortClients {
  /** Whether a program has it open now, and whether the last one has closed it since the last check. */
  check(): { readonly isOpen: boolean; readonly hasLeft: boolean }
  close(): void
}

/** The functions of the C library that are used. */
interface Inotify {
  beginWatch(flags: number): unknown
  watch(file: number, path: string, mask: number): unknown
}

/** IN_NONBLOCK and the masks of Linux's sys/inotify.h. */
const nonBlocking = 0o4000
const closed = 0x08 | 0x10
const opened = 0x20
/** struct inotify_event of a watched file, which is followed by no name. */
const eventSize = 16
const maskAt = 4

/** Watches `path`, which the caller may already have open. A string: the name of the system call that failed. */
export function followClients(library: Inotify, path: string): PortClients | string {
  const file = library.beginWatch(nonBlocking)
  if (typeof file !== 'number' || file < 0) return 'inotify_init1'
  if (Number(library.watch(file, path, opened | closed)) < 0) {
    closeSync(file)
    return 'inotify_add_watch'
  }
  const descriptor = file
  const events = Buffer.alloc(64 * eventSize)
  let count = 0

  /** The number of bytes of events; 0: none. */
  function readEvents(): number {
    try {
      return readSync(descriptor, events)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return 0
      throw error
    }
  }

  return {
    check() {
      let hasLeft = false
      for (let size = readEvents(); size > 0; size = readEvents())
        for (let at = 0; at < size; at += eventSize) {
          const isClose = (events.readUInt32LE(at + maskAt) & closed) !== 0
          count += isClose ? -1 : 1
          if (isClose && count === 0) hasLeft = true
        }
      return { isOpen: count > 0, hasLeft }
    },
    close: () => closeSync(file),
  }
}
