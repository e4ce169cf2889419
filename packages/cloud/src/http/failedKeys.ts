// Failed keys: the 401 comes later and later for an address that keeps sending bad keys.

import type { World } from '@callgate/world/world'
import type { Limits } from '../limit/limits.ts'

/** Failures from one address in a minute that are answered at once. */
const free = 20
const stepMs = 250
/** The longest wait is 5 s. */
const mostSteps = 20
const mostAddresses = 10_000
/** How many requests may wait at once. Beyond that they cost less when they are answered. */
const mostWaiting = 256

export interface FailedKeys {
  /** Counts a bad key from `address`, and resolves when the 401 may go out. */
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
