// Deterministic simulation testing: some seeds without a violation, and seeds that once broke a promise. `everyFault.test.ts`
// runs enough seeds to meet every kind of fault.

import { expect, it } from 'vitest'
import { runSeed } from './runSeed.ts'

const fewSeeds = 20
/** Other seeds that once broke a promise. Each cause also has its own test case. */
const brokenOnce = [
  2_592, 3_824, 3_925, 4_962, 6_418, 9_128, 9_618, 14_993, 15_749, 15_982, 38_833, 39_053, 52_292, 53_071,
  53_651, 55_383, 56_983, 57_470, 58_978, 60_932, 70_263, 73_771, 75_311, 76_904, 83_846, 400_042, 400_920,
  401_768, 401_912, 500_177, 500_246, 901_692, 300_365_298, 2_002_020, 2_005_884, 2_006_401, 2_011_764,
  2_010_822, 2_003_572, 2_015_071, 5_003_351, 5_016_491, 6_009_148, 7_016_111, 31_001_846, 31_004_281,
  31_008_267, 31_019_917, 46_015_287, 47_003_041, 49_011_056,
]

it('keeps every promise in a few seeds', async () => {
  for (let seed = 1; seed <= fewSeeds; seed++) expect((await runSeed(seed)).violations).toEqual([])
})

it('keeps every promise where a journal is torn', async () => {
  const { faults: met, violations } = await runSeed(2_045)
  expect([violations, met['gateway killed, journal torn']]).toEqual([[], 1])
})

it.each(brokenOnce)('keeps every promise in seed %i, which broke one once', async seed => {
  expect((await runSeed(seed)).violations).toEqual([])
})
