// A condition: waits that end when somebody notifies them, or after a time limit.

import type { World } from '@callgate/world/world'

export interface Condition {
  /** Ends every wait that is running. */
  notify(): void
  /** Resolves at the next `notify`, and after `withinMs` at the latest. */
  wait(withinMs: number): Promise<void>
}

export function createCondition(world: World): Condition {
  let waits: (() => void)[] = []
  return {
    notify() {
      const ended = waits
      waits = []
      for (const end of ended) end()
    },
    wait: withinMs =>
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
