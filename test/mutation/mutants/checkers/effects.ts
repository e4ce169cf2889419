// One opening with a mutant, in which the first effect of each kind fails that a call depends on.

import { expect, it } from 'vitest'
import { faultsOf } from '../../../simulation/effects/faults.ts'
import { oneOpening, openingGate } from '../../../simulation/effects/oneOpening.ts'
import { mutants } from '../mutants.ts'
import { isBroken } from '../promise.ts'

const { breaks = 'P1' } = mutants[Number(process.env['MUTANT'])] ?? {}

it(`${breaks}: no effect that fails breaks it`, async () => {
  const { effects, violations } = await oneOpening(openingGate)
  expect(violations).toEqual([])
  const sorts = new Set<string>()
  for (const { effect, ...fault } of faultsOf(effects)) {
    const { kind, what } = effect
    const sort = `${what} ${fault.way}`
    const isMeant = kind === 'disk' || kind === 'serial' || what === 'COMMIT'
    if (!isMeant || fault.forMs > 0 || sorts.has(sort)) continue
    sorts.add(sort)
    const failed = await oneOpening(openingGate, fault)
    expect(failed.violations.filter(violation => isBroken(breaks, [violation]))).toEqual([])
  }
})
