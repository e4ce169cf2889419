// The judge of the cores: every interleaving within small bounds.

import { smallest } from '../../../modelChecking/bounds.ts'
import { type Bounds, explore } from '../../../modelChecking/explore.ts'

export async function judge(): Promise<readonly string[]> {
  const walks: readonly Bounds[] = [
    // Where time stands still, what is called twice is not called late as well.
    { ...smallest, gateways: 2, clockMs: [0] },
    smallest,
    { ...smallest, gatewayRestarts: 1, leftovers: ['wiped'], clockMs: [0, 130_000] },
  ]
  for (const walk of walks) {
    const { dialled, violation } = explore(walk)
    if (violation) return [`${violation.what}: ${violation.path.join(', ')}`]
    if (dialled === 0) return ['A2: nothing is ever dialled']
  }
  return []
}
