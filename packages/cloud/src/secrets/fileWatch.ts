// A key file of a running cloud, looked at again and again.

import { readFile } from 'node:fs/promises'
import type { Timer, World } from '@callgate/world/world'

/** A change of a key file is taken up this long after it was made, milliseconds. */
const lookEveryMs = 30_000

/** Reads a file as a text. Rejects where it cannot. */
export type ReadText = (file: string) => Promise<string>

const fromDisk: ReadText = file => readFile(file, 'utf8')

/** Hands the text of the file to `look` every 30 s; undefined where it cannot be read. Returns a function that ends it. */
export function watchFile(
  world: World,
  file: string,
  look: (text: string | undefined) => void,
  read: ReadText = fromDisk,
): () => void {
  let timer: Timer | undefined
  let isOver = false
  function later(): void {
    timer = world.after(lookEveryMs, () => {
      void read(file)
        .catch(() => undefined)
        .then(text => {
          if (isOver) return
          look(text)
          later()
        })
    })
  }
  later()
  return () => {
    isOver = true
    timer?.cancel()
  }
}
