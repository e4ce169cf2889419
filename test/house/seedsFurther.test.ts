// The second half of the seeds: a file of its own, so that both workers have one.

import { expect, it } from 'vitest'
import { expectSeedsToHold, seedsPerFile, seedsTimeoutMs } from './seeds.ts'

it('holds what was promised in further seeds', { timeout: seedsTimeoutMs }, async () => {
  await expectSeedsToHold(1 + seedsPerFile)
  expect.hasAssertions()
})
