// The modem's port as a socket for one cable: in memory, or a real port outside of this program.

import type { World } from '@callgate/world/world'
import { createMemoryLine, type MemoryLine, type MemoryLineEnd } from './memoryLine.ts'
import { createWireLog, type WireLine, type WireLog } from './wireLog.ts'

export interface Socket {
  readonly wire: WireLog
  /** A line in memory; a second one replaces the first. Undefined while unplugged. */
  connect(): MemoryLine | undefined
  /** Bytes on their way to the modem. */
  receive(bytes: Uint8Array): void
  /** The modem's output. */
  send(text: string): void
  onSend(listener: (bytes: Uint8Array) => void): void
  onPlug(listener: (plugged: boolean) => void): void
  isPlugged(): boolean
  /** `ttyUSB0`, with the next number whenever the port comes back. */
  portName(): string
  /** False where that is already the state. */
  setPlugged(plugged: boolean): boolean
  lose(reason: string): void
}

/** `toModem` receives what a client writes; `onLine` receives each line on the wire. */
export function createSocket(
  world: World,
  toModem: (text: string) => void,
  onLine?: (line: WireLine) => void,
): Socket {
  const wire = createWireLog(world, onLine)
  const sendListeners: ((bytes: Uint8Array) => void)[] = []
  const plugListeners: ((plugged: boolean) => void)[] = []
  let memoryLine: MemoryLineEnd | undefined
  let plugged = true
  let portNumber = 0

  function receive(bytes: Uint8Array): void {
    if (!plugged) return
    const text = Buffer.from(bytes).toString('latin1')
    wire.add('toModem', text)
    toModem(text)
  }

  function lose(reason: string): void {
    const lost = memoryLine
    memoryLine = undefined
    lost?.lose(reason)
  }

  return {
    wire,
    connect() {
      if (!plugged) return undefined
      lose('replaced by another connection')
      memoryLine = createMemoryLine(world, receive)
      return memoryLine.line
    },
    receive,
    send(text) {
      if (!plugged) return
      wire.add('fromModem', text)
      const bytes = Buffer.from(text, 'latin1')
      memoryLine?.deliver(bytes)
      for (const listener of sendListeners) listener(bytes)
    },
    onSend: listener => void sendListeners.push(listener),
    onPlug: listener => void plugListeners.push(listener),
    isPlugged: () => plugged,
    portName: () => `ttyUSB${portNumber}`,
    setPlugged(present) {
      if (plugged === present) return false
      plugged = present
      if (present) portNumber += 1
      else lose('unplugged')
      for (const listener of plugListeners) listener(present)
      return true
    },
    lose,
  }
}
