// Two clouds on one real Postgres: some seeds without a violation. `pnpm house --clouds 2 --postgres --seeds 200` runs more.

import { migratedPostgres } from '@callgate/cloud/database/postgres.kit'
import { expect, it } from 'vitest'
import { runPair } from './runPair.ts'

/** Together these seeds have clouds that die, stall and lose the database or an answer, and clocks that are set. */
const seeds = [6, 17, 21, 23]

it.each(seeds)('keeps every promise with two clouds on Postgres in seed %i', async seed => {
  const { calls, violations } = await runPair(seed, await migratedPostgres())
  expect(violations).toEqual([])
  expect(calls).toBeGreaterThan(0)
})
