// The first half of the seeds that every test run plays through.

import { expect, it } from 'vitest'
import { expectSeedsToHold, seedsTimeoutMs } from './seeds.ts'

it('holds what was promised under every kind of fault', { timeout: seedsTimeoutMs }, async () => {
  await expectSeedsToHold(1)
  expect.hasAssertions()
})
