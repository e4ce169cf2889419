// Seeded randomness: every part draws from a stream of its own, so that one part's draws never move another's.

/** A uniform number in [0, 1). */
export type Random = () => number

/** The stream `name` of `seed`: mulberry32 (period 2^32), started from an FNV-1a hash of the name. */
export function seededRandom(seed: number, name: string): Random {
  let state = 0x811c9dc5 ^ seed
  for (let at = 0; at < name.length; at++) state = Math.imul(state ^ name.charCodeAt(at), 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
