// Seeds of the house with two clouds, with a planted bug: those from the one at which it shows, under every fault.

import { expect, it } from 'vitest'
import { runPair } from '../../../simulation/house/runPair.ts'
import { bugs } from '../bugs.ts'
import { isBroken } from '../promise.ts'

const seeds = 12
const { breaks = 'P1', fromSeed = 1 } = bugs[Number(process.env['PLANTED'])] ?? {}

it(`${breaks}: no seed of the house with two clouds breaks it`, async () => {
  for (let seed = fromSeed; seed < fromSeed + seeds; seed++) {
    const { violations } = await runPair(seed)
    const found = violations.map(violation => violation.replace(/^seed \d+ with two clouds: /, ''))
    expect(found.filter(violation => isBroken(breaks, [violation]))).toEqual([])
  }
})
