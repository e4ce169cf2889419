// The modem's serial line without a port: the timers of the world move the bytes.

import type { World } from '@callgate/world/world'

export interface MemoryLine {
  write(bytes: Uint8Array): void
  /** One write that queues nothing on our side; `short` never happens on this line, `refused` once it is closed. */
  writeNow(bytes: Uint8Array): 'written' | 'short' | 'refused'
  /** Discards the bytes that have not reached the modem. */
  flush(): void
  onBytes(listener: (bytes: Uint8Array) => void): void
  /** The line was lost; not called after the caller's own `close`. */
  onClose(listener: (reason: string) => void): void
  close(): Promise<void>
}

/** The line's far end, for the simulator. */
export interface MemoryLineEnd {
  readonly line: MemoryLine
  deliver(bytes: Uint8Array): void
  lose(reason: string): void
}

/** The limit of bytes on the way to the modem. */
const maxWaiting = 1024

export function createMemoryLine(world: World, toModem: (bytes: Uint8Array) => void): MemoryLineEnd {
  const byteListeners: ((bytes: Uint8Array) => void)[] = []
  const closeListeners: ((reason: string) => void)[] = []
  let waiting: Uint8Array[] = []
  let open = true

  function write(bytes: Uint8Array): 'written' | 'refused' {
    if (!open || waiting.length >= maxWaiting) return 'refused'
    waiting.push(bytes.slice())
    world.after(0, () => {
      const next = waiting.shift()
      if (next && open) toModem(next)
    })
    return 'written'
  }

  return {
    line: {
      write,
      writeNow: write,
      flush() {
        waiting = []
      },
      onBytes: listener => void byteListeners.push(listener),
      onClose: listener => void closeListeners.push(listener),
      async close() {
        open = false
        waiting = []
      },
    },
    deliver(bytes) {
      if (open) for (const listener of byteListeners) listener(bytes)
    },
    lose(reason) {
      if (!open) return
      open = false
      waiting = []
      for (const listener of closeListeners) listener(reason)
    },
  }
}
