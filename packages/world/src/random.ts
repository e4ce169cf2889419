// Seeded randomness: the same numbers at every run of a seed, for the simulator and for tests.

/** FNV-1a: one number from a seed and a name. */
function hashOf(seed: number, name: string): number {
  let hash = 0x811c9dc5 ^ seed
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193)
  return hash
}

/**
 * Numbers in [0, 1), uniform, by mulberry32 (period 2^32). Each `name` has its own stream, so that the draws of one part never
 * change those of another.
 */
export function seededRandom(seed: number, name?: string): () => number {
  let state = name === undefined ? seed : hashOf(seed, name)
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
