// What one test file runs of the seeds: no violation, and each kind of fault met.

import { expect } from 'vitest'
import { faultKinds } from './plan.ts'
import { runSeed } from './runSeed.ts'
import { addUp, noSeeds } from './sum.ts'

/** How many seeds each of the two files runs; the files run side by side. */
export const seedsPerFile = 1_000
/** They take 30 s each on a machine that does nothing else. */
export const seedsTimeoutMs = 400_000

/** Runs the seeds from `from` on, and expects that what was promised held under every kind of fault. */
export async function expectSeedsToHold(from: number): Promise<void> {
  let sum = noSeeds
  for (let seed = from; seed < from + seedsPerFile; seed++) sum = addUp(sum, await runSeed(seed))
  expect(sum.violations).toEqual([])
  expect(faultKinds.filter(kind => !sum.faults[kind])).toEqual([])
  expect(sum.calls).toBeGreaterThan(seedsPerFile)
}
