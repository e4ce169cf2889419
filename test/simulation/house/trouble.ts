// Tells in the log what is wrong with a part of a gateway's, and when it shows; only what shows is counted as met.

import type { FakeWorld } from '@callgate/world/fake'

export interface Trouble {
  /** From now on this is wrong; undefined: nothing. */
  begins(name: string | undefined): void
  hasShown(): boolean
  /** What is wrong has made a difference; counted once until something else is wrong. */
  shows(how: string, fields?: Readonly<Record<string, unknown>>): void
}

export function troubleOf(world: FakeWorld, who: string, part: 'chip' | 'disk'): Trouble {
  let trouble: string | undefined
  let hasShown = false
  return {
    begins(name) {
      if (name === trouble) return
      trouble = name
      hasShown = false
      world.log.info(`${part}: ${name ?? 'well again'}`, { who })
    },
    hasShown: () => hasShown,
    shows(how, fields = {}) {
      world.log.debug(how, { who, ...(!hasShown && { met: [`${part}: ${trouble}`] }), ...fields })
      hasShown = true
    },
  }
}
