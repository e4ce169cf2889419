// Runs one seed of the simulation with two clouds: builds it, carries out its plan, ends all faults, and checks.

import { fakeWorld } from '@callgate/world/fake'
import { createActionRunner, type Notes, type Runner } from './actionRunner.ts'
import { asksTasks } from './backgroundPlan.ts'
import { type KeyedWays, withKeys } from './keyPlan.ts'
import { withOtherSpace } from './otherSpacePlan.ts'
import { awayOf, checkPair } from './pairChecks.ts'
import { createPairHouse, type PairHouse } from './pairHouse.ts'
import { type OwnAction, type PairAction, type PairPlan, pairPlanOf } from './pairPlan.ts'
import { type Action, withRingOpeners } from './plan.ts'
import type { ReplicaSide } from './replicaSide.ts'
import { live, nothingNoted, type SeedRun, summaryOf } from './seedRun.ts'
import { withSimCards } from './simCardPlan.ts'

/** Presses reach a cloud that is not dead, where there is one. */
function turn({ clouds, turnTo }: PairHouse, cloud: number): void {
  const isDead = clouds[cloud]?.run().life.isDead()
  turnTo(isDead ? 1 - cloud : cloud)
}

function runnerOf(house: PairHouse, notes: Notes) {
  /** The parts whose clocks drift now. */
  let drifting: string | undefined
  const gatewayOf = ({ gateway }: { readonly gateway: number }) => house.ids.gatewayIds[gateway] ?? ''
  const at = ({ cloud }: { readonly cloud: number }) => house.clouds[cloud] as ReplicaSide
  const runner: Runner<OwnAction> = {
    turn: ({ cloud }) => turn(house, cloud),
    'kill replica': action => at(action).dieAfter(action.steps),
    'start replica': action => at(action).start(),
    'redeploy replica': action => void at(action).redeploy(),
    'pause replica': action => at(action).pause(),
    'go on, replica': action => at(action).goOn(),
    'cut database': action => at(action).cutDatabase(action.steps),
    'reach database': action => at(action).reachDatabase(),
    'cut broker': action => at(action).cutBroker(true),
    'reach broker': action => at(action).cutBroker(false),
    'stall, replica': action => at(action).machine.stallAfter(action.steps),
    'wake replica': action => at(action).machine.goOn(action.suspended),
    'lose answer': action => at(action).way.loseAnswerAfter(action.commits),
    'slow broker'(action) {
      at(action).hearing.lagMs = action.byMs
    },
    'lose for one'(action) {
      at(action).hearing.losesShare = action.share
    },
    'hide gateway'(action) {
      at(action).hearing.hidden.add(gatewayOf(action))
    },
    'show gateway'(action) {
      at(action).hearing.hidden.delete(gatewayOf(action))
    },
    drift({ rate, whose }) {
      const [kind, place] = whose
      if (kind === 'database') house.databaseClock.setRate(rate)
      else (kind === 'cloud' ? house.clouds : house.gateways)[place]?.machine.setRate(rate)
      if (kind !== 'database') notes.drift = Math.max(notes.drift, Math.abs(rate - 1))
      drifting = rate === 1 ? undefined : kind
    },
    'slow database': ({ byMs }) => house.slowDatabase(byMs),
    'set replica clock': action => at(action).setClock(action.byMs),
    'set database clock'({ byMs }) {
      house.databaseClock.set(byMs)
      notes.clockSetMs.push(house.world.monotonicMs())
      if (byMs < 0) notes.databaseSetBackMs.push(house.world.monotonicMs())
    },
    deploy: action => void at(action).deploy(action.version),
    rotate: () => house.rotation?.begin(),
  }
  return { runner, drifting: () => drifting }
}

/** The wall clock of one of the two is wrong, and each press arrives at either. */
const keysOfTwo: KeyedWays<PairAction> = {
  setClock: (draw, atMs, byMs) => [{ kind: 'set replica clock', atMs, cloud: draw.randomInt(0, 1), byMs }],
  pressed: (draw, press) => [{ kind: 'turn', atMs: press.atMs, cloud: draw.randomInt(0, 1) }, press],
}

/** What a rotation may need after all faults: two minutes, a check of the file by each cloud, and two beats of each gateway. */
const rotatedWithinMs = 240_000

async function finishRotation({ gateways, rotation, world }: PairHouse): Promise<void> {
  const isOver = () =>
    rotation?.isOver() !== false &&
    gateways.every(gateway => !rotation || gateway.trust()?.keyIds.length === 1)
  const endMs = world.monotonicMs() + rotatedWithinMs
  while (!isOver() && world.monotonicMs() < endMs) await world.advance(5_000)
}

/** Runs the seed with two clouds on one database and one broker: on SQLite, or on the new Postgres database of that address. */
export async function runPair(seed: number, postgres?: string): Promise<SeedRun> {
  const usual = pairPlanOf(fakeWorld(seed ^ 0x2c10d))
  const cards = withSimCards<PairAction, PairPlan>(fakeWorld(seed ^ 0x51ca2d), usual)
  const ringing = withRingOpeners(fakeWorld(seed ^ 0x0be115), cards)
  const shared = withOtherSpace<PairAction, PairPlan>(fakeWorld(seed ^ 0x07e4), ringing)
  const plan = withKeys<PairAction, typeof shared>(fakeWorld(seed ^ 0x1dea), shared, keysOfTwo)
  const { actions, gates, gateways, guests, hasKeys, hasOtherSpace, models } = plan
  const rotates = actions.some(({ kind }) => kind === 'rotate')
  const options = {
    gateways,
    guests,
    hasKeys,
    hasOtherSpace,
    models,
    postgres,
    rotates,
    asksTasks: asksTasks(actions),
  }
  const house = await createPairHouse(seed, gates, options)
  const notes = nothingNoted()
  const { carryOut: carryOutOne, isOver } = createActionRunner(house, notes)
  const own = runnerOf(house, notes)
  const carryOut = (action: Action | OwnAction) => {
    if (action.kind === 'press' && own.drifting())
      house.world.log.info('is pressed', {
        who: 'house',
        met: [`press while the clock of a ${own.drifting()} drifts`],
      })
    if (!(action.kind in own.runner)) return carryOutOne(action as Action)
    const run = own.runner[action.kind as OwnAction['kind']] as (action: OwnAction) => Promise<void> | void
    return run(action as OwnAction)
  }
  const healClouds = () => {
    house.slowDatabase(0)
    house.databaseClock.setRate(1)
    for (const { machine } of [...house.clouds, ...house.gateways]) machine.setRate(1)
    for (const cloud of house.clouds) cloud.heal()
  }
  try {
    await live({ house, plan, carryOut, isOver, healClouds, leastQuietMs: 20_000, quietMs: 300_000 })
    await finishRotation(house)
    const caps = guests.map(({ maxUsage }) => maxUsage)
    const cloudBegunMs = new Map(house.waiters.map(({ begunMs, openingId }) => [openingId, begunMs]))
    const databaseSlow = house.databaseClock.slow()
    const endTakesMs = house.transactionMs()
    const record = { ...notes, caps, away: awayOf(house), cloudBegunMs, databaseSlow, endTakesMs }
    return await summaryOf(house, record, `seed ${seed} with two clouds`, await checkPair(house))
  } finally {
    await house.close()
  }
}
