// The modem's output on its way to the other end of the line, at the pace of the baud rate.

import type { World } from '@callgate/world/world'

export interface Output {
  /** Adds text, which the next `flush` sends. Beyond 64 KiB it is lost, as in a UART that nobody reads. */
  add(text: string): void
  /** Sends the added text piece by piece, each after the one before it. */
  flush(): void
  discard(): void
}

const maxWaiting = 65_536

/** `baudRate` absent: no pacing. `pieceLength` returns how much arrives at once, at least 1. */
export function createOutput(options: {
  readonly world: World
  readonly baudRate: number | undefined
  readonly pieceLength: () => number
  readonly deliver: (text: string) => void
}): Output {
  const { world, baudRate, pieceLength, deliver } = options
  let waiting = ''
  let isSending = false

  function flush(): void {
    if (isSending || waiting === '') return
    isSending = true
    const length = pieceLength()
    const piece = waiting.slice(0, length)
    waiting = waiting.slice(length)
    // A character is ten bits: start, eight, stop.
    world.after(baudRate === undefined ? 0 : (piece.length * 10_000) / baudRate, () => {
      isSending = false
      deliver(piece)
      flush()
    })
  }

  return {
    add(text) {
      if (waiting.length < maxWaiting) waiting += text
    },
    flush,
    discard() {
      waiting = ''
    },
  }
}
