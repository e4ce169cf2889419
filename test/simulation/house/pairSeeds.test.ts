// Two clouds on one database and one broker: some seeds without a violation, and seeds that once broke a promise.
// `everyFaultOfTwoClouds.test.ts` runs enough seeds to meet every kind of fault.

import { expect, it } from 'vitest'
import { runPair } from './runPair.ts'

const fewSeeds = 4

it('keeps every promise with two clouds in a few seeds', async () => {
  for (let seed = 1; seed <= fewSeeds; seed++) expect((await runPair(seed)).violations).toEqual([])
})

/** Seeds that once broke a promise, because of the product, a check, or a fault or a press that lasted longer than the others. */
it.each([
  1_315, 1_596, 31_027, 50_025, 50_068, 51_038, 51_096, 1_526, 1_627, 1_635, 101_357, 102_096, 103_722,
  114_069, 116_013, 117_787, 377, 581_398_754, 8_001_280, 9_002_018, 47_000_320, 48_000_672, 50_017,
  49_000_578,
])('keeps every promise in seed %i, which once broke one', async seed => {
  expect((await runPair(seed)).violations).toEqual([])
})

it('gives the same run each time', async () => {
  const [one, other] = [await runPair(7), await runPair(7)]
  expect(one.story()).toEqual(other.story())
})
