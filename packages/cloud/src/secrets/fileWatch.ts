// Watches a key file of a running cloud by reading it repeatedly.

import { readFile } from 'node:fs/promises'
import { repeat } from '@callgate/world/repeat'
import type { World } from '@callgate/world/world'

/** The longest time until a change of a key file is noticed, milliseconds. */
const checkEveryMs = 30_000

/** Reads a file as text. Rejects where that fails. */
export type ReadText = (file: string) => Promise<string>

const fromDisk: ReadText = file => readFile(file, 'utf8')

/** Passes the text of the file to `look` every 30 s; undefined where it cannot be read. Returns a function that ends this. */
export function watchFile(
  world: World,
  file: string,
  check: (text: string | undefined) => void,
  read: ReadText = fromDisk,
): () => void {
  return repeat(world, checkEveryMs, async isStopped => {
    const text = await read(file).catch(() => undefined)
    if (!isStopped()) check(text)
  })
}
