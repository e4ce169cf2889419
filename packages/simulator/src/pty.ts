// A real virtual serial port: a pseudo-terminal whose master is the modem and whose slave any program may open.

import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { ReadStream } from 'node:tty'
import type { World } from '@callgate/world/world'
import koffi from 'koffi'
import { followClients, type PortClients } from './portClients.ts'

export interface Pty {
  /** The path for clients, `/dev/pts/N`. */
  readonly path: string
  /**
   * Queues bytes while the client does not read. Bytes that are unread for a second are lost, oldest first. Bytes that are
   * written while nobody has the port open are lost. Unread bytes are lost 20 ms after a client has closed the port.
   */
  write(bytes: Uint8Array): void
  onBytes(listener: (bytes: Uint8Array) => void): void
  /** Hangs up on every client. */
  close(): Promise<void>
}

export type PtyResult =
  | { readonly ok: true; readonly pty: Pty }
  | { readonly ok: false; readonly code: 'pty_failed'; readonly message: string }

const maxQueued = 65_536
const retryMs = 5
const unreadMs = 1000
/** The interval of the check whether a client has left. */
const checkEveryMs = 20
/** More than any platform's struct termios. */
const termiosSize = 256
const pathSize = 128
/** TCSANOW and TCIFLUSH of Linux's termios.h. */
const now = 0
const inputQueue = 0

function loadLibrary() {
  const library = koffi.load(null)
  return {
    openMaster: library.func('int posix_openpt(int flags)'),
    grant: library.func('int grantpt(int fd)'),
    unlock: library.func('int unlockpt(int fd)'),
    nameOf: library.func('int ptsname_r(int fd, _Out_ uint8_t *name, size_t size)'),
    readAttributes: library.func('int tcgetattr(int fd, _Out_ uint8_t *attributes)'),
    makeRaw: library.func('void cfmakeraw(_Inout_ uint8_t *attributes)'),
    writeAttributes: library.func('int tcsetattr(int fd, int when, const uint8_t *attributes)'),
    beginWatch: library.func('int inotify_init1(int flags)'),
    watch: library.func('int inotify_add_watch(int fd, const char *path, uint32_t mask)'),
    discard: library.func('int tcflush(int fd, int queue)'),
  }
}

type Library = ReturnType<typeof loadLibrary>

interface Ends {
  readonly master: number
  /** Held open in raw mode, so that a client that leaves does not hang up the master, and the next client finds no echo. */
  readonly slave: number
  readonly path: string
}

/** Both ends, or the name of the system call that failed. */
function openEnds(library: Library): Ends | string {
  const master: unknown = library.openMaster(constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK)
  if (typeof master !== 'number' || master < 0) return 'posix_openpt'
  const giveUp = (call: string) => {
    closeSync(master)
    return call
  }
  if (library.grant(master) !== 0) return giveUp('grantpt')
  if (library.unlock(master) !== 0) return giveUp('unlockpt')
  const name = Buffer.alloc(pathSize)
  if (library.nameOf(master, name, pathSize) !== 0) return giveUp('ptsname_r')
  const path = name.toString('latin1', 0, name.indexOf(0))
  const slave = openSync(path, constants.O_RDWR | constants.O_NOCTTY)
  const attributes = Buffer.alloc(termiosSize)
  const known = library.readAttributes(slave, attributes) === 0
  if (known) library.makeRaw(attributes)
  if (known && library.writeAttributes(slave, now, attributes) === 0) return { master, slave, path }
  closeSync(slave)
  return giveUp('tcsetattr')
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/** Writes to the master without ever blocking, in order, while a client has the port open. */
function createWriter(world: World, { master, slave }: Ends, library: Library, clients: PortClients) {
  let queued: Uint8Array[] = []
  let queuedBytes = 0
  let stuckSinceMs: number | undefined
  let retrying = false
  let open = true

  function pump(): void {
    for (let next = queued[0]; open && next; next = queued[0]) {
      let written = 0
      try {
        written = writeSync(master, next)
      } catch (error) {
        if (!isCode(error, 'EAGAIN')) throw error
        retryLater()
        return
      }
      stuckSinceMs = undefined
      queuedBytes -= written
      if (written === next.length) queued.shift()
      else queued[0] = next.subarray(written)
    }
  }

  /** Nobody reads: the oldest bytes are dropped, as in a UART. */
  function retryLater(): void {
    stuckSinceMs ??= world.monotonicMs()
    if (world.monotonicMs() - stuckSinceMs >= unreadMs) library.discard(slave, inputQueue)
    if (retrying) return
    retrying = true
    world.after(retryMs, () => {
      retrying = false
      pump()
    })
  }

  /** A serial port of Linux drops unread bytes when it is closed: the next client must not find them. */
  function check(): boolean {
    const { hasLeft, isOpen } = clients.check()
    if (hasLeft) {
      queued = []
      queuedBytes = 0
      library.discard(slave, inputQueue)
    }
    return isOpen
  }
  let looking = world.after(checkEveryMs, function again() {
    check()
    looking = world.after(checkEveryMs, again)
  })

  return {
    check,
    write(bytes: Uint8Array): void {
      if (!open || !check() || queuedBytes + bytes.length > maxQueued) return
      queued.push(bytes)
      queuedBytes += bytes.length
      if (!retrying) pump()
    },
    close(): void {
      open = false
      queued = []
      looking.cancel()
      clients.close()
    },
  }
}

/** Opens a pseudo-terminal. Linux only; the C library does the work. */
export function openPty(world: World): PtyResult {
  const library = loadLibrary()
  const ends = openEnds(library)
  if (typeof ends === 'string')
    return { ok: false, code: 'pty_failed', message: `no virtual serial port: ${ends} failed` }
  const clients = followClients(library, ends.path)
  if (typeof clients === 'string') {
    closeSync(ends.slave)
    closeSync(ends.master)
    return { ok: false, code: 'pty_failed', message: `no virtual serial port: ${clients} failed` }
  }
  const reader = new ReadStream(ends.master)
  const writer = createWriter(world, ends, library, clients)
  reader.on('error', error => world.log.warn('reading the virtual serial port failed', { error }))
  return {
    ok: true,
    pty: {
      path: ends.path,
      write: bytes => writer.write(bytes),
      onBytes(listener) {
        reader.on('data', (chunk: Buffer) => {
          // Done before the answer is written: bytes that come now are from a connected client.
          writer.check()
          listener(chunk)
        })
      },
      close() {
        writer.close()
        closeSync(ends.slave)
        return new Promise(resolve => {
          reader.once('close', () => resolve())
          reader.destroy()
        })
      },
    },
  }
}
