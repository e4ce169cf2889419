// Runs one seed of the simulation: builds it, carries out its plan, ends all faults, and checks the promises.

import { fakeWorld } from '@callgate/world/fake'
import { createActionRunner } from './actionRunner.ts'
import { createHouse } from './house.ts'
import { planOf } from './plan.ts'
import { live, nothingNoted, type SeedRun, summaryOf } from './seedRun.ts'
import { digestKeys } from './signingKeys.ts'

/** Builds the simulation of the seed, carries out its plan, waits until all must have ended, and checks the promises. */
export async function runSeed(seed: number, keys = digestKeys): Promise<SeedRun> {
  const plan = planOf(fakeWorld(seed ^ 0x5eed))
  const { gates, gateways, guests } = plan
  const house = await createHouse(seed, gates, { gateways, guests, keys })
  const notes = nothingNoted()
  const carryOut = createActionRunner(house, notes)
  const healClouds = () => {
    house.cloudMachine.goOn()
    house.cloud().life.spare()
  }
  try {
    await live({ house, plan, carryOut, healClouds, leastQuietMs: 15_000, quietMs: 110_000 })
    const caps = guests.map(({ maxUsage }) => maxUsage)
    return await summaryOf(house, { ...notes, caps }, `seed ${seed}`)
  } finally {
    await house.close()
  }
}
