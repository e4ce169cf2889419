// The judge of the whole: seeds of the house under every fault, up to the first that breaks a promise.

import { runSeed } from '../../house/runSeed.ts'

const seeds = 12

/** `from`: the first seed. */
export async function judge(_sought?: string, from = '1'): Promise<readonly string[]> {
  for (let seed = Number(from); seed < Number(from) + seeds; seed++) {
    const { violations } = await runSeed(seed)
    if (violations.length > 0) return violations.map(violation => violation.replace(/^seed \d+: /, ''))
  }
  return []
}
