// Logs a fault of one part of a gateway: its beginning, and its first effect; only a fault with an effect counts.

import type { FakeWorld } from '@callgate/world/fake'

export interface FaultLog {
  /** From now on the part has this fault; undefined: none. */
  begin(fault: string | undefined): void
  /** Whether the current fault has had an effect. */
  hasShown(): boolean
  /** Logs an effect of the current fault; the first one counts. */
  show(effect: string, fields?: Readonly<Record<string, unknown>>): void
}

export function createFaultLog(world: FakeWorld, who: string, part: 'chip' | 'disk'): FaultLog {
  let fault: string | undefined
  let hasShown = false
  return {
    begin(next) {
      if (next === fault) return
      fault = next
      hasShown = false
      world.log.info(`${part}: ${next ?? 'well again'}`, { who })
    },
    hasShown: () => hasShown,
    show(effect, fields = {}) {
      world.log.debug(effect, { who, ...(!hasShown && { met: [`${part}: ${fault}`] }), ...fields })
      hasShown = true
    },
  }
}
