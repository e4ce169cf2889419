// Secrets that a person reads aloud or types: passwords that are generated, and passphrases of files.

import type { World } from '@callgate/world/world'

/** 100 random bits in five groups: without l, o, 0 and 1. */
export function readableSecret(world: World): string {
  const letters = 'abcdefghijkmnpqrstuvwxyz23456789'
  const text = [...world.randomBytes(20)].map(byte => letters.charAt(byte & 31)).join('')
  return (text.match(/.{4}/g) ?? []).join('-')
}
