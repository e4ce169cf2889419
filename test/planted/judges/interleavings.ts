// The judge of the cores: every interleaving within small bounds.

import { explore } from '../../interleavings/explore.ts'

const bounds = {
  openings: 1,
  gateways: 1,
  clockSteps: 4,
  gatewayRestarts: 0,
  cloudRestarts: 0,
  mostStates: 40_000,
} as const

export async function judge(): Promise<readonly string[]> {
  const walks = [
    bounds,
    { ...bounds, gateways: 2, clockSteps: 1 },
    { ...bounds, gatewayRestarts: 1, cloudRestarts: 1 },
  ] as const
  for (const walk of walks) {
    const { dialled, violation } = explore(walk)
    if (violation) return [`${violation.what}: ${violation.path.join(', ')}`]
    if (dialled === 0) return ['A2: nothing is ever dialled']
  }
  return []
}
