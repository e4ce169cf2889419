// A byte line in memory, for tests: a function at its far end takes each command and sends the answer.

import type { ByteLine, OpenLine } from './byteLine.ts'

export interface MemoryLine {
  readonly openLine: OpenLine
  /** Every command line that was written, without its CR; a direct write as well. */
  readonly written: string[]
  /** Sends bytes from the far end. */
  say(text: string): void
  /** The port goes away, like an unplugged one; `openLine` gives a new one. */
  unplug(): void
  /** How many bytes the next direct write takes; undefined: all of them. */
  takes: number | undefined
  /** The far end reads nothing: written bytes stay in the port. Once this is false again, the far end gets all of them. */
  holds: boolean
  readonly flushes: number
}

/** A port that passes bytes on, or keeps them until its far end reads again. */
function holdingPort(handOn: (bytes: Uint8Array) => void) {
  let isHolding = false
  const held: Uint8Array[] = []
  return {
    write(bytes: Uint8Array): void {
      if (isHolding) held.push(bytes)
      else handOn(bytes)
    },
    get rests() {
      return isHolding
    },
    set rests(holds) {
      isHolding = holds
      for (const bytes of holds ? [] : held.splice(0)) handOn(bytes)
    },
  }
}

/** Calls `onCommand` for each line that is written; sends nothing back by itself. */
export function memoryLine(onCommand: (text: string) => void): MemoryLine {
  let bytesListeners: ((bytes: Uint8Array) => void)[] = []
  let closeListeners: ((reason: string) => void)[] = []
  let typed = ''
  let flushes = 0
  const written: string[] = []

  const port = holdingPort(bytes => {
    const lines = (typed + Buffer.from(bytes).toString('latin1')).split('\r')
    typed = lines.pop() ?? ''
    for (const text of lines) {
      written.push(text)
      onCommand(text)
    }
  })

  function closeFor(reason: string): void {
    const listeners = closeListeners
    bytesListeners = []
    closeListeners = []
    for (const listener of listeners) listener(reason)
  }

  const line: ByteLine = {
    write: port.write,
    writeNow(bytes) {
      const count = Math.min(bytes.length, self.takes ?? bytes.length)
      self.takes = undefined
      port.write(bytes.subarray(0, count))
      if (count === bytes.length) return 'written'
      return count > 0 ? 'short' : 'refused'
    },
    flush() {
      flushes += 1
    },
    onBytes(listener) {
      bytesListeners.push(listener)
    },
    onClose(listener) {
      closeListeners.push(listener)
    },
    async close() {
      closeFor('closed')
    },
  }
  const self: MemoryLine = {
    openLine: async () => {
      typed = ''
      return { ok: true, line }
    },
    written,
    takes: undefined,
    get holds() {
      return port.rests
    },
    set holds(holds) {
      port.rests = holds
    },
    say(text) {
      for (const listener of bytesListeners) listener(Buffer.from(text, 'latin1'))
    },
    unplug: () => closeFor('unplugged'),
    get flushes() {
      return flushes
    },
  }
  return self
}
