// Two clouds on one database and one broker: enough seeds to meet every fault of either cloud, without a violation.

import { expect, it } from 'vitest'
import { runMany } from './manySeeds.ts'

/** `pnpm house --clouds 2 --seeds 20000` runs more. */
const seeds = 120
/** The run takes less than a minute on a quiet machine, and many minutes on a busy one. */
const timeoutMs = 1_800_000

const met = [
  'cloud killed',
  'cloud killed at its restart',
  'cloud stopped',
  'cloud redeployed',
  'database cut off',
  'broker restart',
  'gateway cut off',
  'cloud cut off',
  'cloud stalls',
  'database clock forward',
  'database clock back',
  'cloud clock forward',
  'answer to a commit lost',
  'broker slow',
  'an unknown boot is heard',
  'tables migrated during an opening',
  'former version started',
  'database slow',
  'database very slow',
  'claim lost for one cloud',
  'press while the clock of a cloud drifts',
  'press while the clock of a database drifts',
  'press while the clock of a gateway drifts',
  'signing key rotated',
  'signing key forgotten',
  'press of another Space',
  'Idempotency-Key repeated',
]

it('keeps every promise with two clouds', { timeout: timeoutMs }, async () => {
  const sum = await runMany(1, seeds, () => {}, { clouds: 2 })
  expect(sum.violations).toEqual([])
  expect(sum.seeds).toBe(seeds)
  expect(met.filter(fault => (sum.faults[fault] ?? 0) < 4)).toEqual([])
  expect(sum.faults).toMatchObject({
    'claim of a gateway hidden from one cloud': expect.any(Number),
    'granted before the new key is trusted': expect.any(Number),
  })
  expect(sum.calls).toBeGreaterThan(seeds)
  // Some presses end with their cloud.
  expect(sum.endings['failed interrupted']).toBeGreaterThan(10)
})
