// The lock of the single Space of a simulation: held by a transaction while the machine of its cloud stalls.

import type { FakeWorld } from '@callgate/world/fake'
import type { Timer } from '@callgate/world/world'
import type { Span } from '../../checker/facts.ts'
import { createSpanLog } from './spans.ts'

/**
 * As in `postgresSession.ts` and `postgres.ts`: the times after which the server ends an idle transaction, and a wait for a lock.
 */
export const longestIdleMs = 10_000
const longestLockMs = 5_000

export interface SpaceLock {
  /** When it was held. */
  held(): readonly Span[]
  isHeld(): boolean
  /** Holds it until `release`, or until the server ends the transaction. */
  hold(): { release(): void }
  /** Resolves when it is free; rejects as Postgres does after its longest wait. */
  whenFree(): Promise<void>
}

export function spaceLock(world: FakeWorld): SpaceLock {
  let holder: object | undefined
  const log = createSpanLog<'held'>(world)
  const waiting = new Set<() => void>()

  function free(own: object) {
    if (holder !== own) return
    holder = undefined
    log.end('held')
    for (const go of [...waiting]) go()
  }

  return {
    held: log.all,
    isHeld: () => holder !== undefined,
    hold() {
      const own = {}
      holder = own
      log.begin('held')
      const timer = world.after(longestIdleMs, () => {
        world.log.info('ends an idle transaction', { who: 'database', met: ['idle transaction ended'] })
        free(own)
      })
      const release = () => {
        timer.cancel()
        free(own)
      }
      return { release }
    },
    whenFree() {
      if (holder === undefined) return Promise.resolve()
      return new Promise((resolve, reject) => {
        let timer: Timer | undefined
        const go = () => {
          timer?.cancel()
          waiting.delete(go)
          resolve()
        }
        waiting.add(go)
        timer = world.after(longestLockMs, () => {
          waiting.delete(go)
          reject(Object.assign(new Error('the lock is not free'), { code: '55P03' }))
        })
      })
    },
  }
}
