// The judge of failing effects: one opening, in which the first effect of each sort fails that a call depends on.

import { faultsOf } from '../../../simulation/effects/faults.ts'
import { oneOpening, openingGate } from '../../../simulation/effects/oneOpening.ts'
import { isBroken } from '../promise.ts'

export async function judge(sought: string | undefined): Promise<readonly string[]> {
  const { effects, violations } = await oneOpening(openingGate)
  const found = [...violations]
  const sorts = new Set<string>()
  for (const { effect, ...fault } of faultsOf(effects)) {
    const { kind, what } = effect
    const sort = `${what} ${fault.way}`
    const isMeant = kind === 'disk' || kind === 'serial' || what === 'COMMIT'
    if (!isMeant || fault.forMs > 0 || sorts.has(sort)) continue
    sorts.add(sort)
    if (sought && isBroken(sought, found)) break
    found.push(...(await oneOpening(openingGate, fault)).violations)
  }
  return found
}
