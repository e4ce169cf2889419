// The serial port as a byte line: the only file that knows serialport.

import { writeSync } from 'node:fs'
import type { World } from '@callgate/world/world'
import { SerialPort } from 'serialport'
import type { ByteLine, OpenFailure, OpenLine } from './byteLine.ts'
import { portPaths } from './portPaths.ts'

export interface SerialOptions {
  readonly world: World
  /** `/dev/serial/by-id/…`, `/dev/ttyAMA0`, or links to such; the last part may hold stars. */
  readonly paths: readonly string[]
  readonly baudRate: number
}

/** The limit of chunks that wait to be sent. The driver has one command in flight, so more would be a defect. */
const maxQueued = 64

function failureOf(message: string): OpenFailure {
  if (/no such file|no such device|not found/i.test(message)) return 'port_missing'
  if (/cannot lock|resource busy|temporarily unavailable/i.test(message)) return 'port_busy'
  if (/permission denied|not permitted|access denied/i.test(message)) return 'port_denied'
  return 'port_failed'
}

const adviceFor: Readonly<Record<OpenFailure, string>> = {
  port_missing: 'is missing: is the modem plugged in, and the path right?',
  port_busy: 'is in use by another program: stop it (another gateway daemon, ModemManager, a terminal)',
  port_denied: 'may not be opened by this user: add the user to the group dialout',
  port_failed: 'cannot be opened',
}

/** The port's file descriptor, which serialport does not publish. */
function descriptorOf(port: SerialPort): number | undefined {
  const binding: unknown = port.port
  if (typeof binding !== 'object' || binding === null || !('fd' in binding)) return undefined
  return typeof binding.fd === 'number' ? binding.fd : undefined
}

/** One write on the descriptor, which serialport opened with O_NONBLOCK: EAGAIN means that nothing was taken. */
function writeOnce(descriptor: number, bytes: Uint8Array): 'written' | 'short' | 'refused' {
  try {
    const count = writeSync(descriptor, bytes)
    if (count === bytes.length) return 'written'
    return count > 0 ? 'short' : 'refused'
  } catch {
    return 'refused'
  }
}

/**
 * Keeps the port going as soon as it is readable or writable: `turn` begins a turn of the event loop, as `setImmediate` does.
 * serialport awaits both by a promise, and its native poller does not open the callback scope after which Node runs what awaits a
 * promise. Node 26.4 and newer run that only at the next timer or other event, which may be seconds later.
 */
export function goOnAtOnce(port: SerialPort, turn: () => void): void {
  const binding = port.port
  if (!binding || !('poller' in binding)) return
  for (const event of ['readable', 'writable']) binding.poller.on(event, turn)
}

/** A queue of our own before the port's stream: bytes in the stream cannot be taken back. */
function createOutput(port: SerialPort) {
  let waiting: Uint8Array[] = []
  let isBusy = false

  function sendNext(): void {
    const bytes = isBusy || !port.isOpen ? undefined : waiting.shift()
    if (!bytes) return
    isBusy = true
    // A failed write closes the port, which the `close` event reports.
    port.write(Buffer.from(bytes), () => {
      isBusy = false
      sendNext()
    })
  }

  return {
    isIdle: () => !isBusy && waiting.length === 0,
    push(bytes: Uint8Array) {
      if (waiting.length >= maxQueued) return
      waiting.push(bytes)
      sendNext()
    },
    /** Until the system has flushed, nothing new is sent, because it would be flushed too. */
    discard() {
      waiting = []
      if (!port.isOpen) return
      isBusy = true
      port.flush(() => {
        isBusy = false
        sendNext()
      })
    },
  }
}

function byteLineOn(port: SerialPort): ByteLine {
  const output = createOutput(port)
  const closeListeners: ((reason: string) => void)[] = []
  let closedFor: string | undefined

  function reportClosed(reason: string): void {
    if (closedFor !== undefined) return
    closedFor = reason
    for (const listener of closeListeners) listener(reason)
  }

  const close = () =>
    new Promise<void>(resolve => {
      if (!port.isOpen) return resolve()
      port.close(() => {
        reportClosed('closed')
        resolve()
      })
    })

  port.on('close', (error: Error | null) => reportClosed(error?.message ?? 'closed'))
  port.on('end', () => {
    reportClosed('the port ended')
    void close()
  })
  port.on('error', (error: Error) => {
    reportClosed(error.message)
    void close()
  })
  return {
    write: output.push,
    writeNow(bytes) {
      const descriptor = descriptorOf(port)
      // While other output is being sent, the order of the bytes would be undefined.
      if (descriptor === undefined || !port.isOpen || !output.isIdle()) return 'refused'
      return writeOnce(descriptor, bytes)
    },
    flush: output.discard,
    onBytes(listener) {
      port.on('data', (bytes: Buffer) => listener(bytes))
    },
    onClose(listener) {
      if (closedFor === undefined) closeListeners.push(listener)
      else listener(closedFor)
    },
    close,
  }
}

type Opened = Awaited<ReturnType<OpenLine>>

/**
 * Opens the port for this program alone (flock), with 8 bits, no parity and no flow control. Closing it does not change DTR,
 * which some boards wire to sleep or power.
 */
function openPort(world: World, path: string, baudRate: number): Promise<Opened> {
  return new Promise(resolve => {
    const port = new SerialPort({ path, baudRate, autoOpen: false, lock: true, hupcl: false })
    port.open(error => {
      if (!error) {
        goOnAtOnce(port, () => void world.turn())
        return resolve({ ok: true, line: byteLineOn(port) })
      }
      const code = failureOf(error.message)
      resolve({ ok: false, code, message: `The serial port ${path} ${adviceFor[code]} (${error.message})` })
    })
  })
}

/**
 * The first of the ports of `paths` that opens. After each line on which no modem was found, the search begins one port further:
 * a modem on USB has several ports, and only some of them take commands.
 */
export function serialLine({ world, paths, baudRate }: SerialOptions): OpenLine {
  return async silentLines => {
    const found = await portPaths(paths)
    const first = found.length === 0 ? 0 : silentLines % found.length
    let failure: Opened | undefined
    for (const path of [...found.slice(first), ...found.slice(0, first)]) {
      const opened = await openPort(world, path, baudRate)
      if (opened.ok) return opened
      // The message about a port that exists and cannot be opened is more useful than that about a missing one.
      if (!failure || (!failure.ok && failure.code === 'port_missing')) failure = opened
    }
    if (failure && (failure.ok || failure.code !== 'port_missing' || paths.length === 1)) return failure
    // All are missing, and the modem may come up as any of them.
    const names = paths.join(', ')
    const message = failure
      ? `The serial ports ${names} are missing: is the modem plugged in, and the path right?`
      : `No serial port fits ${names}: is the modem plugged in?`
    return { ok: false, code: 'port_missing', message }
  }
}
