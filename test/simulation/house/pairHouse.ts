// The simulation with two clouds on one database and one broker: a house whose presses reach either of them.

import { leaseForMs } from '@callgate/cloud/core/lease'
import { callProfile } from '@callgate/contract/call/callProfile'
import { fakeWorld, settle } from '@callgate/world/fake'
import type { Span } from '../../checker/facts.ts'
import type { CloudLife } from './cloudLife.ts'
import type { Message } from './delivery.ts'
import type { ServerClock } from './driftingClock.ts'
import { directEdges } from './edges.ts'
import { foreignLock } from './foreignLock.ts'
import { forgery } from './forger.ts'
import { furnish, type HouseGate } from './furnish.ts'
import { createGatewaySide } from './gatewaySide.ts'
import {
  gatewayIdsOf,
  type House,
  type HouseOptions,
  keyOf,
  onlineAt,
  pairsOf,
  sendAsUnknownBoot,
  simulatorOf,
} from './house.ts'
import { createKeyRotation, type KeyRotation } from './keyRotation.ts'
import { createMachine } from './machine.ts'
import { openSharedPostgres } from './postgresDatabase.ts'
import { type PressRequest, pressAt as pressAtRun } from './presser.ts'
import type { HeardClaim, SaidGrant } from './replicaRun.ts'
import { createReplicaSide, type ReplicaSide } from './replicaSide.ts'
import { openSharedDatabase, type SharedDatabase } from './sharedDatabase.ts'
import { digestKeys, readDigestKey } from './signingKeys.ts'
import { simulatedBroker } from './simulatedBroker.ts'

/** A request that waits for the end of an opening at a cloud. */
export interface Waiter {
  readonly cloud: ReplicaSide
  readonly openingId: string
  readonly fromMs: number
  /** Since when the cloud had run without a stall of its machine. */
  readonly begunMs: number
  untilMs: number | undefined
}

export interface PairHouse extends House {
  readonly clouds: readonly ReplicaSide[]
  /** The cloud that presses reach from now on. */
  turnTo(cloud: number): void
  readonly heard: readonly HeardClaim[]
  readonly said: readonly SaidGrant[]
  readonly waiters: readonly Waiter[]
  grants: SharedDatabase['grants']
  /** When a stalled transaction kept the others from writing. */
  locked(): readonly Span[]
  readonly databaseClock: ServerClock
  slowDatabase(byMs: number): void
  /** When its statements took so long that a lease may have ended between two of them. */
  slow(): readonly Span[]
  /** How long a transaction took at most while statements were slow, and not so slow, in milliseconds. */
  transactionMs(): number
  /** Set where the signing key can be rotated. */
  readonly rotation: KeyRotation | undefined
}

const requestMs = 50_000

async function build(seed: number, gates: readonly HouseGate[], options: HouseOptions) {
  const { asksTasks = false, faults, guests = [], hasKeys = false, keys = digestKeys } = options
  const { models, postgres, rotates } = options
  // An answer of Postgres may need another turn on its way through the driver.
  const world = fakeWorld(seed, postgres ? 2 : 1)
  const profile = callProfile({ mode: 'reject' })
  /** The old key is stolen: a gateway that no longer trusts it must not obey it. */
  function forgersKey({ topic }: Message) {
    const trusted = rotation?.trusts(topic.split('/')[2] ?? '')?.keyIds
    return trusted && !trusted.includes(keys.cloud.signing.keyId) ? keys.cloud.signing : keys.thief.signing
  }
  const broker = simulatedBroker(world, undefined, faults, message =>
    forgery(forgersKey(message), keys.cloud.signing.keyId, profile, message),
  )
  const database = await (postgres ? openSharedPostgres(world, postgres) : openSharedDatabase(world))
  const rotation = rotates ? createKeyRotation(world, database) : undefined
  const { otherKey, pairs, publicKeys } = pairsOf(keys, options)
  const heard: HeardClaim[] = []
  const said: SaidGrant[] = []
  const tables = { areNewer: false }
  const parts = { world, database, broker, keys, heard, said, tables, rotation, asksTasks, hasKeys }
  const ids = await furnish(world, database.asDatabase, { gates, guests, publicKeys, otherKey })
  const clouds = [1, 2].map(number =>
    createReplicaSide(parts, `cloud ${number}`, world.randomInt(-60_000, 60_000)),
  )
  const gateways = pairs.map((_, place) =>
    createGatewaySide({
      world,
      name: `gateway ${place + 1}`,
      gatewayId: gatewayIdsOf(ids)[place] ?? '',
      simulator: simulatorOf(world, place, gates, models?.[place]),
      broker,
      signingKey: keyOf({ gateways: pairs }, place),
      cloudKeys: () => rotation?.verifying() ?? [keys.cloud.verifying],
      readKey: readDigestKey,
      edges: directEdges,
    }),
  )
  if (rotation) rotation.trusts = id => gateways.find(({ gatewayId }) => gatewayId === id)?.trust()
  return { world, broker, database, ids, keys, clouds, gateways, heard, said, rotation }
}
type Built = Awaited<ReturnType<typeof build>>

/** Presses at a cloud, and waits there for the end. */
async function pressAt(
  { ids, world }: Built,
  cloud: ReplicaSide,
  waiters: Waiter[],
  asked: PressRequest,
): Promise<string> {
  const { desk, exchange, life } = cloud.run()
  const wokenMs = cloud.machine.stood().at(-1)?.toMs ?? 0
  const begunMs = Math.max(cloud.starts.at(-1) ?? 0, wokenMs)
  const openingId = await pressAtRun(
    { world: life.world, exchange, idempotency: desk.idempotency },
    ids,
    asked,
  )
  const spaceId = asked[1] === 'other Space' ? ids.other?.spaceId : ids.spaceId
  const waiter: Waiter = { cloud, openingId, fromMs: world.monotonicMs(), begunMs, untilMs: undefined }
  waiters.push(waiter)
  void exchange.requests.wait(openingId, requestMs, spaceId).then(() => {
    waiter.untilMs = world.monotonicMs()
  })
  return openingId
}

/** When a cloud stalled and kept its lease: the time of its openings stalled as well. */
const pausesOf = (clouds: readonly ReplicaSide[]) =>
  clouds.flatMap(({ machine }) => machine.stood()).filter(({ fromMs, toMs }) => toMs - fromMs < leaseForMs)

const cannot = () => {
  throw new Error('a house with two clouds cannot do that')
}

/** Builds and starts the simulation, and waits until its modems are ready and both clouds know the gateways. */
export async function createPairHouse(
  seed: number,
  gates: readonly HouseGate[],
  options: HouseOptions,
): Promise<PairHouse> {
  const built = await build(seed, gates, options)
  const { broker, clouds, database, gateways, heard, ids, rotation, said, world } = built
  const waiters: Waiter[] = []
  for (const gateway of gateways) gateway.start('kept')
  let turn = 0
  const at = () => clouds[turn] as ReplicaSide
  const knowsAll = ({ run }: ReplicaSide) => onlineAt(run().wire, ids) === gateways.length
  await world.until(() => clouds.every(knowsAll) && gateways.every(gateway => gateway.isReady()))

  return {
    world,
    ids,
    gates,
    broker,
    gateways,
    clouds,
    heard,
    said,
    waiters,
    grants: database.grants,
    turnTo(cloud) {
      turn = cloud
    },
    cloudMachine: { ...createMachine(world, 'nobody'), stood: () => pausesOf(clouds) },
    databaseLock: foreignLock(world),
    isRefusalSure: false,
    rows: database.rows,
    change: database.change,
    ruleWords: database.ruleWords,
    isLocked: database.isLocked,
    locked: database.locked,
    databaseClock: database.clock,
    slowDatabase: database.slowness.set,
    slow: database.slowness.spans,
    transactionMs: database.slowness.transactionMs,
    rotation,
    // The fields of a run that the actions need.
    cloud: () => at().run() as unknown as CloudLife,
    restartCloud: cannot,
    press: (...asked) => pressAt(built, at(), waiters, asked),
    ended: cannot,
    sendAsUnknownBoot: (...said) => sendAsUnknownBoot(built, ...said),
    clone: cannot,
    relayCount: cannot,
    times: async () => new Map((await database.times()).map(({ id, ...times }) => [id, times])),
    moves: () => ({}),
    story: cannot,
    async close() {
      for (const cloud of clouds) cloud.run().exchange.stop()
      for (const { simulator } of gateways) simulator.stop()
      for (const cloud of clouds) cloud.run().life.kill()
      await settle()
      await database.close()
    },
  }
}
