// Runs one seed of the simulation with two clouds: builds it, carries out its plan, ends all faults, and checks.

import { fakeWorld } from '@callgate/world/fake'
import { createActionRunner, type Notes } from './actionRunner.ts'
import { check } from './checks.ts'
import { wasLocked } from './foreignLock.ts'
import { awayOf, checkPair } from './pairChecks.ts'
import { createPairHouse, type PairHouse } from './pairHouse.ts'
import { type PairAction, type PairPlan, pairPlanOf } from './pairPlan.ts'
import type { Action } from './plan.ts'
import type { ReplicaSide } from './replicaSide.ts'
import { faultsIn, healGateways, isAtRest, type SeedRun, storyOf } from './runSeed.ts'
import { truthOf } from './truth.ts'

const quietMs = 130_000
const leastQuietMs = 20_000

type Own = Extract<
  PairAction['kind'],
  | 'turn'
  | 'press'
  | 'widen tables'
  | `${string} replica`
  | 'go on, replica'
  | `${string} database`
  | `${string} broker`
>

function pressAt(house: PairHouse, notes: Notes, { gate, guest }: Extract<Action, { kind: 'press' }>): void {
  const { world } = house
  world.log.info('press', { who: guest === undefined ? 'key' : `guest ${guest}`, gate: gate + 1 })
  house.cloud().life.enter(() => {
    const pressedMs = world.monotonicMs()
    notes.presses += 1
    void house.press(gate, guest).then(
      openingId => {
        world.log.info('accepted', { who: 'client', openingId })
        notes.accepted.push({ openingId, pressedMs })
      },
      error => {
        // Its commit may have taken place all the same.
        if (!wasLocked(error)) throw error
        world.log.info('refused', { who: 'client' })
      },
    )
  })
}

/** Presses reach a cloud that is not dead, where there is one. */
function turn({ clouds, turnTo }: PairHouse, cloud: number): void {
  const isDead = clouds[cloud]?.run().life.isDead()
  turnTo(isDead ? 1 - cloud : cloud)
}

function carryOutOwn(house: PairHouse, notes: Notes, action: PairAction): boolean {
  const at = (cloud: number) => house.clouds[cloud] as ReplicaSide
  if (action.kind === 'turn') turn(house, action.cloud)
  else if (action.kind === 'press') pressAt(house, notes, action)
  else if (action.kind === 'kill replica') at(action.cloud).dieAfter(action.steps)
  else if (action.kind === 'start replica') at(action.cloud).start()
  else if (action.kind === 'redeploy replica') void at(action.cloud).redeploy()
  else if (action.kind === 'pause replica') at(action.cloud).pause()
  else if (action.kind === 'go on, replica') at(action.cloud).goOn()
  else if (action.kind === 'cut database') at(action.cloud).cutDatabase(action.steps)
  else if (action.kind === 'reach database') at(action.cloud).reachDatabase()
  else if (action.kind === 'cut broker' || action.kind === 'reach broker')
    at(action.cloud).cutBroker(action.kind === 'cut broker')
  else if (action.kind === 'widen tables') house.widen()
  else return false
  return true
}

async function live(house: PairHouse, plan: PairPlan, notes: Notes): Promise<void> {
  const { broker, clouds, world } = house
  const beganMs = world.monotonicMs()
  const until = (atMs: number) => world.advance(Math.max(0, beganMs + atMs - world.monotonicMs()))
  const carryOut = createActionRunner(house, notes)
  broker.setFaults(plan.faults)
  for (const action of plan.actions) {
    await until(action.atMs)
    if (!carryOutOwn(house, notes, action)) await carryOut(action as Exclude<PairAction, { kind: Own }>)
  }
  await until(plan.healedAtMs)
  broker.heal()
  for (const cloud of clouds) {
    cloud.reachDatabase()
    cloud.cutBroker(false)
    cloud.goOn()
    if (cloud.run().life.isDead()) cloud.start()
  }
  healGateways(house)
  world.log.info('healed', { who: 'house' })
  const endMs = world.monotonicMs() + quietMs
  await world.advance(leastQuietMs)
  while (world.monotonicMs() < endMs && !isAtRest(house)) await world.advance(1_000)
  world.log.info('over', { who: 'house' })
}

/** Runs the seed with two clouds on one database and one broker. */
export async function runPair(seed: number): Promise<SeedRun> {
  const plan = pairPlanOf(fakeWorld(seed ^ 0x2c10d))
  const { gates, gateways, guests } = plan
  const house = await createPairHouse(seed, gates, { gateways, guests })
  const notes: Notes = { presses: 0, accepted: [], forbidden: [], away: [], clockSetMs: [] }
  try {
    await live(house, plan, notes)
    const caps = guests.map(({ maxUsage }) => maxUsage)
    const truth = truthOf(house, { ...notes, caps, away: awayOf(house) })
    const violations = [...check(truth), ...checkPair(house)].map(
      violation => `seed ${seed} with two clouds: ${violation}`,
    )
    const endings: Record<string, number> = {}
    for (const { reason, status } of truth.rows) {
      const how = `${status} ${reason}`
      endings[how] = (endings[how] ?? 0) + 1
    }
    return {
      violations,
      openings: truth.rows.length,
      calls: truth.calls.length,
      faults: faultsIn(house.world),
      moves: {},
      endings,
      story: () => storyOf(house),
    }
  } finally {
    await house.close()
  }
}
