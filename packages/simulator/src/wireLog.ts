// The lines on the serial line, with the time at which each was complete; the oldest are forgotten.

import type { World } from '@callgate/world/world'

export interface WireLine {
  /** Monotonic milliseconds of the simulator's process. */
  readonly atMs: number
  /** Wall clock, milliseconds since the Unix epoch. */
  readonly wallMs: number
  readonly direction: 'toModem' | 'fromModem'
  /** Without its line end; an echo is a line like any other. */
  readonly text: string
}

export interface WireLog {
  add(direction: WireLine['direction'], text: string): void
  lines(): readonly WireLine[]
}

const maxLines = 4000
const maxLineLength = 600

/** `onLine` receives each line when it is complete. */
export function createWireLog(world: World, onLine: (line: WireLine) => void = () => {}): WireLog {
  const lines: WireLine[] = []
  const partial = { toModem: '', fromModem: '' }

  function finish(direction: WireLine['direction']): void {
    const text = partial[direction]
    partial[direction] = ''
    if (text === '') return
    if (lines.length >= maxLines) lines.splice(0, maxLines / 4)
    const line = { atMs: world.monotonicMs(), wallMs: world.nowMs(), direction, text }
    lines.push(line)
    onLine(line)
  }

  return {
    add(direction, text) {
      for (const character of text) {
        if (character === '\r' || character === '\n') finish(direction)
        else partial[direction] += character
        if (partial[direction].length >= maxLineLength) finish(direction)
      }
    },
    lines: () => lines,
  }
}
