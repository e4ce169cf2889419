// A bell: waits that end after a time, or earlier when something has happened.

import type { World } from '@callgate/world/world'

export interface Bell {
  /** Ends every wait that is under way. */
  ring(): void
  /** Resolves at the next ring, and after `withinMs` at the latest. */
  heard(withinMs: number): Promise<void>
}

export function createBell(world: World): Bell {
  let waits: (() => void)[] = []
  return {
    ring() {
      const ended = waits
      waits = []
      for (const end of ended) end()
    },
    heard: withinMs =>
      new Promise(resolve => {
        const timer = world.after(withinMs, () => {
          waits = waits.filter(wait => wait !== end)
          resolve()
        })
        const end = () => {
          timer.cancel()
          resolve()
        }
        waits.push(end)
      }),
  }
}
