// The sealing keys of a running cloud: their file is looked at again, so that a rotation needs no restart.

import { readFile } from 'node:fs/promises'
import type { Timer, World } from '@callgate/world/world'
import { type KeyPlaces, type Keyring, sealingPlace } from './keyring.ts'
import { follows, readSealingKeys, textOfSealingKeys } from './sealingKeys.ts'

/** A new key is taken up this long after it is in the file, milliseconds. */
export const lookEveryMs = 30_000

type Held = Pick<Keyring, 'sealingKeys' | 'useSealingKeys'>

/** Takes up the keys of the file where they are others. Answers with why it does not; undefined where nothing is wrong. */
async function look(world: World, keyring: Held, file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return 'the file is gone or cannot be read'
  const next = readSealingKeys(text)
  if (!next) return 'the file is damaged'
  const held = keyring.sealingKeys()
  if (textOfSealingKeys(held) === textOfSealingKeys(next)) return undefined
  if (!follows(held, next)) return 'the file holds the keys of another cloud'
  keyring.useSealingKeys(next)
  world.log.info('the sealing keys have changed', { versions: [...next.keys()].join(' ') })
  return undefined
}

/**
 * Looks at the file every 30 s. A file that is gone, damaged or of another cloud is logged once and changes nothing. Returns a
 * function that ends it.
 */
export function watchSealingKeys(world: World, keyring: Held, places: KeyPlaces): () => void {
  let complained: string | undefined
  let timer: Timer | undefined
  let isOver = false
  function later(): void {
    timer = world.after(lookEveryMs, () => {
      void look(world, keyring, sealingPlace(places)).then(why => {
        if (why !== undefined && why !== complained)
          world.log.warn('the sealing keys in the file are not used; the former ones stay', { why })
        complained = why
        if (!isOver) later()
      })
    })
  }
  later()
  return () => {
    isOver = true
    timer?.cancel()
  }
}
