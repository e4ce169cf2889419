// The judge of the whole: seeds of the house under every fault, up to the first that breaks the promise that is sought.

import { runSeed } from '../../../simulation/house/runSeed.ts'
import { isBroken } from '../promise.ts'

const seeds = 12

/** `sought`: any promise where none is said. `from`: the first seed. */
export async function judge(sought?: string, from = '1'): Promise<readonly string[]> {
  const found: string[] = []
  for (let seed = Number(from); seed < Number(from) + seeds; seed++) {
    const { violations } = await runSeed(seed)
    found.push(...violations.map(violation => violation.replace(/^seed \d+: /, '')))
    if (sought === undefined ? found.length > 0 : isBroken(sought, found)) break
  }
  return found
}
