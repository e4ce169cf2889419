// Seeds of the house with two clouds, with a mutant: from the first one that shows it, under every fault.

import { expect, it } from 'vitest'
import { runPair } from '../../../simulation/house/runPair.ts'
import { mutants } from '../mutants.ts'
import { isBroken } from '../promise.ts'

const mutant = mutants[Number(process.env['MUTANT'])]
const { breaks = 'P1', fromSeed = 1 } = mutant ?? {}
/** With a mutant, the first seed that it breaks ends the search. */
const seeds = mutant ? 60 : 12

it(`${breaks}: no seed of the house with two clouds breaks it`, async () => {
  for (let seed = fromSeed; seed < fromSeed + seeds; seed++) {
    const { violations } = await runPair(seed)
    const found = violations.map(violation => violation.replace(/^seed \d+ with two clouds: /, ''))
    expect(found.filter(violation => isBroken(breaks, [violation]))).toEqual([])
  }
})
