// Ids that carry a prefix and sort by the time they were made.

import type { World } from './world.ts'

const crockford = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * A new id: `prefix_` and 26 characters of lower-case Crockford base 32, 48 bits of wall-clock milliseconds
 * followed by 80 random bits (the layout of a ULID, https://github.com/ulid/spec).
 */
export function newId<Prefix extends string>(world: World, prefix: Prefix): `${Prefix}_${string}` {
  let bits = BigInt(Math.max(0, Math.floor(world.nowMs()))) << 80n
  for (const [index, byte] of world.randomBytes(10).entries()) bits |= BigInt(byte) << BigInt(8 * (9 - index))
  let text = ''
  for (let place = 25; place >= 0; place--) text += crockford[Number((bits >> BigInt(5 * place)) & 31n)]
  return `${prefix}_${text}`
}
