// Worlds whose clock a test sets.

import { newId } from '@callgate/world/ids'
import { seededRandom } from '@callgate/world/random'
import { realWorld } from '@callgate/world/real'
import type { World } from '@callgate/world/world'

/** A real world whose wall clock can be set. It continues from there. */
export interface SetWorld extends World {
  setClock(text: string): void
}

export function setWorld(): SetWorld {
  const world = realWorld({ logLevel: 'silent' })
  let aheadMs = 0
  return {
    ...world,
    nowMs: () => world.nowMs() + aheadMs,
    setClock(text) {
      aheadMs = Date.parse(text) - world.nowMs()
    },
  }
}

/** The seed of the pictures. */
const stillSeed = 26_480

/**
 * A world whose clocks stand, and whose random bytes come from a seed: what it shows is the same in each run. How many ids, requests
 * and streams there are depends on how fast a page asks. So each size has bytes of its own, and all begin anew with each setting of
 * the clock.
 */
export function stillWorld(): SetWorld {
  const streams = new Map<number, () => number>()
  let sets = 0
  let nowMs = 0
  const world: SetWorld = {
    ...realWorld({ logLevel: 'silent' }),
    nowMs: () => nowMs,
    // A press is dated back by the time in which it was read.
    monotonicMs: () => 0,
    sinceBootMs: () => 0,
    randomBytes(count) {
      const random = streams.get(count) ?? seededRandom(stillSeed, `${sets} ${count}`)
      streams.set(count, random)
      return Uint8Array.from({ length: count }, () => Math.floor(random() * 256))
    },
    setClock(text) {
      // Else the ids of this time would count on.
      nowMs = 0
      newId(world, 'none')
      streams.clear()
      sets += 1
      nowMs = Date.parse(text)
    },
  }
  return world
}
