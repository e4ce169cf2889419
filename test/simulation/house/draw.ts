// Random choices of a plan.

import type { FakeWorld } from '@callgate/world/fake'

export type Draw = Pick<FakeWorld, 'random' | 'randomInt'>

export function pick<Choice>(draw: Draw, from: readonly Choice[]): Choice {
  const chosen = from[draw.randomInt(0, from.length - 1)]
  if (chosen === undefined) throw new Error('nothing to choose from')
  return chosen
}
