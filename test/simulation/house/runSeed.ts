// Runs one seed of the simulation: builds it, carries out its plan, ends all faults, and checks the promises.

import { fakeWorld } from '@callgate/world/fake'
import { createActionRunner } from './actionRunner.ts'
import { asksTasks, type CloudKill, withBackground } from './backgroundPlan.ts'
import { busyDatabase } from './busyDatabase.ts'
import { withGateMessages } from './gateMessagePlan.ts'
import { createHouse } from './house.ts'
import { ofOneCloud, withKeys } from './keyPlan.ts'
import { withOtherSpace } from './otherSpacePlan.ts'
import { type Plan, planOf, withRingOpeners } from './plan.ts'
import { live, nothingNoted, type SeedRun, summaryOf } from './seedRun.ts'
import { digestKeys } from './signingKeys.ts'
import { withSimCards } from './simCardPlan.ts'

/** The cloud is killed at one of its next effects, and starts again. */
const killedAndStarted: CloudKill<never> = (draw, atMs, startMs) => [
  { kind: 'kill cloud', atMs, steps: draw.randomInt(0, 20) },
  { kind: 'start cloud', atMs: startMs },
]

/** Builds the simulation of the seed, carries out its plan, waits until everything must have ended, and checks the promises. */
export async function runSeed(seed: number, keys = digestKeys): Promise<SeedRun> {
  const draw = fakeWorld(seed ^ 0x5eed)
  const usual = withBackground<Plan['actions'][number], Plan>(draw, planOf(draw), killedAndStarted)
  const cards = withSimCards(fakeWorld(seed ^ 0x51ca2d), usual)
  const opening = withRingOpeners(fakeWorld(seed ^ 0x0be115), cards)
  const writing = withGateMessages<Plan['actions'][number], Plan>(fakeWorld(seed ^ 0x6a7e55), opening)
  const shared = withOtherSpace<never, Plan>(fakeWorld(seed ^ 0x07e4), writing)
  const plan = withKeys<never, typeof shared>(fakeWorld(seed ^ 0x1dea), shared, ofOneCloud)
  const { actions, gates, gateways, guests, hasKeys, hasOtherSpace, models } = plan
  // Only writes of several Spaces can share a commit.
  const busy = hasOtherSpace ? busyDatabase(fakeWorld(seed ^ 0xb5d1)) : undefined
  const options = {
    ...(busy && { edges: busy.edges }),
    gateways,
    guests,
    hasKeys,
    hasOtherSpace,
    keys,
    models,
    asksTasks: asksTasks(actions),
  }
  const house = await createHouse(seed, gates, options)
  busy?.begin(house.world)
  const notes = nothingNoted()
  const { carryOut, isOver } = createActionRunner(house, notes)
  const healClouds = () => {
    busy?.heal()
    house.cloudMachine.goOn()
    house.cloud().life.spare()
  }
  try {
    await live({ house, plan, carryOut, isOver, healClouds, leastQuietMs: 15_000, quietMs: 290_000 })
    const caps = guests.map(({ maxUsage }) => maxUsage)
    return await summaryOf(house, { ...notes, caps, databaseWaits: busy?.waits() ?? [] }, `seed ${seed}`)
  } finally {
    await house.close()
  }
}
