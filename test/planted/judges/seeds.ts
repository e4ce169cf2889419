// The judge of the whole: seeds of the house on a faulty wire, up to the first that breaks a promise.

import { runSeed } from '../../house/runSeed.ts'

const seeds = 12

export async function judge(): Promise<readonly string[]> {
  for (let seed = 1; seed <= seeds; seed++) {
    const { violations } = await runSeed(seed)
    if (violations.length > 0) return violations.map(violation => violation.replace(/^seed \d+: /, ''))
  }
  return []
}
