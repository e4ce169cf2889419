// The signing keys of a running cloud: their file is checked repeatedly, so that a rotation needs no restart.

import type { World } from '@callgate/world/world'
import { type ReadText, watchFile } from './fileWatch.ts'
import { type KeyPlaces, type Keyring, signingPlace } from './keyring.ts'
import { readSigningKeys, type SigningKeys, signingFingerprint, signingFollows } from './signingKeys.ts'

type Held = Pick<Keyring, 'signing' | 'useSigningKeys'>

/**
 * Checks the file every 30 s, and uses the next step of a rotation. `onChange` gets the keys. Any other file is logged once, and
 * changes nothing. Returns a function that ends the checks.
 */
export function watchSigningKeys(
  world: World,
  keyring: Held,
  places: KeyPlaces,
  onChange: (keys: SigningKeys) => void,
  read?: ReadText,
): () => void {
  let complained = false
  const check = (text: string | undefined) => {
    const held = keyring.signing()
    const next = text === undefined ? undefined : readSigningKeys(text)
    const isSame = next?.number === held.number && signingFingerprint(next) === signingFingerprint(held)
    if (next && !isSame && signingFollows(held, next)) {
      keyring.useSigningKeys(next)
      world.log.info('the signing keys have changed', { keys: signingFingerprint(next) })
      onChange(next)
    } else if (!isSame && !complained)
      world.log.warn('the signing key in the file is not used; the former one stays', {
        file: next ? 'it holds another key' : 'it is gone or damaged',
      })
    complained = !isSame && !(next && signingFollows(held, next))
  }
  return watchFile(world, signingPlace(places), check, read)
}
