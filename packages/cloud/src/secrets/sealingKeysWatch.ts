// The sealing keys of a running cloud: their file is checked repeatedly, so that a rotation needs no restart.

import { readFileSync } from 'node:fs'
import { ageMs, moment, type World } from '@callgate/world/world'
import { watchFile } from './fileWatch.ts'
import { type KeyPlaces, type Keyring, sealingPlace } from './keyring.ts'
import { follows, readSealingKeys, textOfSealingKeys } from './sealingKeys.ts'

/** When the last check is older, as after a suspension of the machine, sealing waits for the next check. Milliseconds. */
const staleAfterMs = 60_000

type Held = Pick<Keyring, 'sealingKeys' | 'useSealingKeys' | 'beforeSealing'>

/** Uses the keys in `text` where they differ. Returns why it does not; undefined where nothing is wrong. */
function takeUp(world: World, keyring: Held, text: string | undefined): string | undefined {
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

function readNow(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/**
 * Checks the file every 30 s, and before a sealing when the last check is a minute ago, because a rotation may have ended while
 * the process stalled. A file that is missing, damaged or of another cloud is logged once and changes nothing. Returns a function
 * that ends the checks.
 */
export function watchSealingKeys(world: World, keyring: Held, places: KeyPlaces): () => void {
  const file = sealingPlace(places)
  let complained: string | undefined
  let isOver = false
  let checkedAt = moment(world)
  function check(text: string | undefined): void {
    checkedAt = moment(world)
    const why = takeUp(world, keyring, text)
    if (why !== undefined && why !== complained)
      world.log.warn('the sealing keys in the file are not used; the former ones stay', { why })
    complained = why
  }
  keyring.beforeSealing(() => {
    if (!isOver && ageMs(world, checkedAt) >= staleAfterMs) check(readNow(file))
  })
  const stop = watchFile(world, file, check)
  return () => {
    isOver = true
    stop()
  }
}
