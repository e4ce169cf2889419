// A key file of a running cloud, looked at again and again.

import { readFile } from 'node:fs/promises'
import type { Timer, World } from '@callgate/world/world'

/** A change of a key file is taken up this long after it was made, milliseconds. */
const lookEveryMs = 30_000

/** Hands the text of the file to `look` every 30 s; undefined where it cannot be read. Returns a function that ends it. */
export function watchFile(world: World, file: string, look: (text: string | undefined) => void): () => void {
  let timer: Timer | undefined
  let isOver = false
  function later(): void {
    timer = world.after(lookEveryMs, () => {
      void readFile(file, 'utf8')
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
