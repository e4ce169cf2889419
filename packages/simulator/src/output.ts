// What the modem sends, on its way to the other end of the line at the pace of the baud rate.

import type { World } from '@callgate/world/world'

export interface Output {
  /** More to send; it leaves with the next `flush`. Beyond 64 KiB it is lost, as in a UART that nobody reads. */
  add(text: string): void
  /** Sends what was added, in one piece, once the piece before it is through. */
  flush(): void
  discard(): void
}

const maxWaiting = 65_536

/** `baudRate` absent: no pacing. */
export function createOutput(
  world: World,
  baudRate: number | undefined,
  deliver: (text: string) => void,
): Output {
  let waiting = ''
  let sending = ''

  function flush(): void {
    if (sending !== '' || waiting === '') return
    sending = waiting
    waiting = ''
    // A character is ten bits: start, eight, stop.
    world.after(baudRate === undefined ? 0 : (sending.length * 10_000) / baudRate, () => {
      const text = sending
      sending = ''
      deliver(text)
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
