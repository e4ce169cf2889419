// Two Spaces that press at the same moment, with a mutant, in which statements of their shared transactions fail.

import { expect, it } from 'vitest'
import { faultsOf } from '../../../simulation/effects/faults.ts'
import { oneOpening, openingGate } from '../../../simulation/effects/oneOpening.ts'
import { mutants } from '../mutants.ts'
import { isBroken } from '../promise.ts'

const { breaks = 'P1' } = mutants[Number(process.env['MUTANT'])] ?? {}
const options = { otherSpace: true }

it(`${breaks}: no statement that fails breaks it`, async () => {
  const { effects, violations } = await oneOpening(openingGate, undefined, options)
  expect(violations).toEqual([])
  for (const { effect, ...fault } of faultsOf(effects)) {
    if (!/^(SAVEPOINT|RELEASE|COMMIT)/.test(effect.what) || fault.forMs > 0) continue
    const failed = await oneOpening(openingGate, fault, options)
    expect(failed.violations.filter(violation => isBroken(breaks, [violation]))).toEqual([])
  }
})
