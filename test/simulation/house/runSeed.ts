// Runs one seed of the simulation: builds it, carries out its plan, ends all faults, and checks the promises.

import { fakeWorld } from '@callgate/world/fake'
import { createActionRunner } from './actionRunner.ts'
import { withGateMessages } from './gateMessagePlan.ts'
import { createHouse } from './house.ts'
import { asksTasks, type CloudKill, withOffice } from './officePlan.ts'
import { type Plan, planOf, withRingOpeners } from './plan.ts'
import { live, nothingNoted, type SeedRun, summaryOf } from './seedRun.ts'
import { digestKeys } from './signingKeys.ts'
import { withSimCards } from './simCardPlan.ts'

/** The cloud is killed at one of its next effects, and starts again. */
const killedAndStarted: CloudKill<never> = (draw, atMs, startMs) => [
  { kind: 'kill cloud', atMs, steps: draw.randomInt(0, 20) },
  { kind: 'start cloud', atMs: startMs },
]

/** Builds the simulation of the seed, carries out its plan, waits until all must have ended, and checks the promises. */
export async function runSeed(seed: number, keys = digestKeys): Promise<SeedRun> {
  const draw = fakeWorld(seed ^ 0x5eed)
  const usual = withOffice<Plan['actions'][number], Plan>(draw, planOf(draw), killedAndStarted)
  const cards = withSimCards(fakeWorld(seed ^ 0x51ca2d), usual)
  const opening = withRingOpeners(fakeWorld(seed ^ 0x0be115), cards)
  const plan = withGateMessages<Plan['actions'][number], Plan>(fakeWorld(seed ^ 0x6a7e55), opening)
  const { actions, gates, gateways, guests, models } = plan
  const options = { gateways, guests, keys, models, asksTasks: asksTasks(actions) }
  const house = await createHouse(seed, gates, options)
  const notes = nothingNoted()
  const { carryOut, isOver } = createActionRunner(house, notes)
  const healClouds = () => {
    house.cloudMachine.goOn()
    house.cloud().life.spare()
  }
  try {
    await live({ house, plan, carryOut, isOver, healClouds, leastQuietMs: 15_000, quietMs: 290_000 })
    const caps = guests.map(({ maxUsage }) => maxUsage)
    return await summaryOf(house, { ...notes, caps }, `seed ${seed}`)
  } finally {
    await house.close()
  }
}
