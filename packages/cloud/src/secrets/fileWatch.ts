// A key file of a running cloud, looked at again and again.

import { readFile } from 'node:fs/promises'
import { repeat } from '@callgate/world/repeat'
import type { World } from '@callgate/world/world'

/** A change of a key file is taken up this long after it was made, milliseconds. */
const checkEveryMs = 30_000

/** Reads a file as a text. Rejects where it cannot. */
export type ReadText = (file: string) => Promise<string>

const fromDisk: ReadText = file => readFile(file, 'utf8')

/** Hands the text of the file to `look` every 30 s; undefined where it cannot be read. Returns a function that ends it. */
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
