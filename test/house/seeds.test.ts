// Seeds of the house: no violation, and each kind of fault and each ending met.

import { expect, it } from 'vitest'
import { changes } from './plan.ts'
import { runSeed } from './runSeed.ts'
import { addUp, noSeeds } from './sum.ts'
import { faultless } from './wire.ts'

const seeds = 60
const kinds = [
  ...Object.keys(faultless),
  ...changes,
  'cloud killed',
  'broker restart',
  'gateway killed, journal kept',
  'gateway killed, journal torn',
  'gateway killed, journal wiped',
]

it('holds what was promised under every kind of fault', async () => {
  let sum = noSeeds
  for (let seed = 1; seed <= seeds; seed++) sum = addUp(sum, await runSeed(seed))
  expect(sum.violations).toEqual([])
  expect(kinds.filter(kind => !sum.faults[kind])).toEqual([])
  expect(sum.calls).toBeGreaterThan(seeds)
})
