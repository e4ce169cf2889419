// A guard before the line splitter, whose buffer has no limit: it cuts lines at 4 KiB, removes and counts NULs, and finds a
// prompt, which has no line end.

import { Transform, type TransformCallback } from 'node:stream'
import { maxLineLength } from './core/lines.ts'

const newline = 0x0a
const promptMark = 0x3e

export interface LineGuard {
  readonly stream: Transform
  /** NULs so far: a modem without power holds the line low, which reads as an endless stream of them. */
  nulCount(): number
}

/** Passes bytes on, at most the first 4 KiB of each line. `onPrompt`: a line has begun with the mark of a prompt. */
export function createLineGuard(onPrompt: () => void = () => {}): LineGuard {
  let nulCount = 0
  let lineLength = 0

  function guarded(bytes: Uint8Array): Buffer {
    const kept = Buffer.alloc(bytes.length)
    let length = 0
    for (const byte of bytes) {
      if (byte === 0) {
        nulCount += 1
        continue
      }
      lineLength = byte === newline ? 0 : lineLength + 1
      if (lineLength <= maxLineLength) kept[length++] = byte
      if (lineLength === 1 && byte === promptMark) onPrompt()
    }
    return kept.subarray(0, length)
  }

  const stream = new Transform({
    transform(chunk: Uint8Array, _encoding, done: TransformCallback) {
      const kept = guarded(chunk)
      if (kept.length > 0) done(null, kept)
      else done()
    },
  })
  return { stream, nulCount: () => nulCount }
}
