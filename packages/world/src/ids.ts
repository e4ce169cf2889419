// Ids with a prefix that sort by the time of their creation.

import type { World } from './world.ts'

const crockford = '0123456789abcdefghjkmnpqrstvwxyz'

/** The last id of each world: its millisecond and its random bits. */
const lastOf = new WeakMap<World, { readonly atMs: number; readonly random: bigint }>()

/** 80 random bits. Within a millisecond it is the previous number plus one, so that ids sort by their creation. */
function nextRandom(world: World, atMs: number): bigint {
  const last = lastOf.get(world)
  let random = 0n
  if (last?.atMs === atMs) random = last.random + 1n
  // The first bit stays 0, so that there is room to count up.
  else
    for (const [index, byte] of world.randomBytes(10).entries())
      random |= BigInt(index === 0 ? byte & 0x7f : byte) << BigInt(8 * (9 - index))
  lastOf.set(world, { atMs, random })
  return random
}

/**
 * A new id: `prefix_` and 26 characters of lower-case Crockford base 32, 48 bits of wall-clock milliseconds followed by 80 bits,
 * which are random except that ids of the same millisecond count up (a monotonic ULID, https://github.com/ulid/spec).
 */
export function newId<Prefix extends string>(world: World, prefix: Prefix): `${Prefix}_${string}` {
  const atMs = Math.max(0, Math.floor(world.nowMs()))
  const bits = (BigInt(atMs) << 80n) | nextRandom(world, atMs)
  let text = ''
  for (let place = 25; place >= 0; place--) text += crockford[Number((bits >> BigInt(5 * place)) & 31n)]
  return `${prefix}_${text}`
}
