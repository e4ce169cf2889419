// Failed keys: delays the 401 more and more for an address that keeps sending bad keys.

import type { World } from '@callgate/world/world'
import type { Limits } from '../limit/limits.ts'

/** How many failures of one address in a minute are answered at once. */
const free = 20
const stepMs = 250
/** The longest delay is 5 s. */
const mostSteps = 20
const mostAddresses = 10_000
/** How many requests may wait at once. Beyond that, it costs less to answer at once. */
const mostWaiting = 256

export interface FailedKeys {
  /** Counts a bad key from `address`, and resolves when the 401 may be sent. */
  delay(address: string): Promise<void>
}

export function createFailedKeys({
  limits,
  world,
}: {
  readonly limits: Limits
  readonly world: World
}): FailedKeys {
  const most = free + mostSteps
  const failures = limits.limiter('bad keys', { most, windowMs: 60_000 }, { mostKeys: mostAddresses })
  let waiting = 0
  return {
    async delay(address) {
      const { remaining } = await failures.take(address)
      const steps = most - remaining - free
      if (steps <= 0 || waiting >= mostWaiting) return
      waiting++
      await new Promise<void>(resolve => world.after(steps * stepMs, resolve))
      waiting--
    },
  }
}
