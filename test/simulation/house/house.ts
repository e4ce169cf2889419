// The deterministic simulation: cloud on real SQLite, gateways, modems, networks and gates in one process, all from one seed.

import { createHash } from 'node:crypto'
import { type RuleWords, sqliteWords } from '@callgate/cloud/verify/ruleWords'
import { callProfile } from '@callgate/contract/call/callProfile'
import type { SigningKey } from '@callgate/contract/wire/signature'
import type { ModelName } from '@callgate/simulator/core/model'
import { createSimulator, type Simulator } from '@callgate/simulator/simulator'
import { type FakeWorld, fakeWorld, settle } from '@callgate/world/fake'
import { type CloudLife, startCloud } from './cloudLife.ts'
import { createCloudRuns } from './cloudRuns.ts'
import type { WireFaults } from './delivery.ts'
import { directEdges, type Edges } from './edges.ts'
import { type ForeignLock, foreignLock } from './foreignLock.ts'
import { forgery, ofUnknownBoot } from './forger.ts'
import {
  callerNumberOf,
  furnish,
  type HouseGate,
  type HouseGuest,
  type HouseIds,
  phoneNumberOf,
} from './furnish.ts'
import { createGatewaySide, type GatewaySide } from './gatewaySide.ts'
import type { OpeningTimes } from './lifeDatabase.ts'
import { createMachine, type Machine } from './machine.ts'
import type { UnknownBootMessage } from './plan.ts'
import { type PressRequest, pressAt } from './presser.ts'
import type { AtOnceOrSoon } from './sharedDatabase.ts'
import { digestKeys, type HouseKeys } from './signingKeys.ts'
import { type SimulatedBroker, simulatedBroker } from './simulatedBroker.ts'

export interface HouseOptions {
  /** The address of a new Postgres database, for a house with two clouds. Absent: SQLite in memory. */
  readonly postgres?: string | undefined
  /** Absent: 1. */
  readonly gateways?: number
  readonly guests?: readonly HouseGuest[]
  readonly faults?: Partial<WireFaults>
  readonly edges?: Edges
  /** Absent: keys that sign by a quick digest. */
  readonly keys?: HouseKeys
  /** Of two clouds: their signing key can be rotated. */
  readonly rotates?: boolean
  /** What modem each gateway has; absent: the usual one. */
  readonly models?: readonly ModelName[] | undefined
  /** Whether clouds look for tasks, which is needed only where somebody requests one. */
  readonly asksTasks?: boolean
  /** There is another Space, with a gateway of its own and a gate that has the number of the first gate. */
  readonly hasOtherSpace?: boolean
  /** Presses come with an Idempotency-Key, so clouds count for how long they serve. */
  readonly hasKeys?: boolean
}

export interface House {
  readonly world: FakeWorld
  readonly ids: HouseIds
  readonly gates: readonly HouseGate[]
  readonly broker: SimulatedBroker
  readonly gateways: readonly GatewaySide[]
  /** The machine that the cloud runs on. */
  readonly cloudMachine: Machine
  /** Another program that can lock the cloud's database. */
  readonly databaseLock: ForeignLock
  /** The rows of the database, read without the cloud. */
  rows<Row>(sql: string, ...values: readonly (string | number)[]): AtOnceOrSoon<Row[]>
  /** Commits a change that does not come from the cloud. */
  change(sql: string, ...values: readonly (string | number)[]): AtOnceOrSoon<void>
  /** The SQL of the rules of `callgate verify` for its database. */
  readonly ruleWords: RuleWords
  /** Whether only the cloud could write now. */
  isLocked(): boolean
  /** A refused press has left no record: no answer to a commit is ever lost. */
  readonly isRefusalSure: boolean
  /** The current run of the cloud, or the last one. */
  cloud(): CloudLife
  /**
   * Ends the cloud's run if there is one, and starts another one on the same database. `onFailed` is called when the start fails
   * because another program locks the database, or its disk fails.
   */
  restartCloud(onFailed?: () => void): Promise<void>
  /** Presses a gate. Returns the opening's id. */
  press(...asked: PressRequest): Promise<string>
  /** The opening's row, once the opening has ended. */
  ended(openingId: string): Promise<OpeningFacts>
  /** Sends a message of a boot of that gateway that the cloud does not know. A claim names `openingId`, if there is one. */
  sendAsUnknownBoot(gateway: number, says: UnknownBootMessage, openingId: string | undefined): void
  /** A copy of that gateway's SD card in another Pi, with its own modem; not started. */
  clone(gateway: number): GatewaySide
  relayCount(gate: number): number
  /** How often openings changed their status, and openers their phase, and after which event. */
  moves(): Record<string, number>
  /** When each opening began, was granted and first ended, by its id. */
  times(): AtOnceOrSoon<ReadonlyMap<string, OpeningTimes>>
  /** A digest of everything that happened: rows, messages, bytes on the serial lines. */
  story(): string
  close(): Promise<void>
}

export interface OpeningFacts {
  readonly status: string
  readonly reason: string | null
  readonly opened: string | null
  readonly joinedOpeningId: string | null
}

export function keyOf({ gateways }: Pick<HouseKeys, 'gateways'>, gateway: number): SigningKey {
  const pair = gateways[gateway]
  if (!pair) throw new Error(`there is no gateway ${gateway + 1}`)
  return pair.signing
}

export function simulatorOf(
  world: FakeWorld,
  place: number,
  gates: readonly HouseGate[],
  model: ModelName = 'sim800',
): Simulator {
  return createSimulator({
    world,
    model,
    seed: world.seed + place,
    network: 'normal',
    registered: true,
    number: callerNumberOf(place),
    gates: gates.map(({ confirmation, farEnd, listens, network }, gate) => ({
      ...network,
      ...(listens && { listens }),
      ...(confirmation && { confirmation }),
      phoneNumber: phoneNumberOf(gate),
      farEnd,
    })),
  })
}

/** The keys of the gateways: those of the first Space, and then the one of the other Space, where there is one. */
export function pairsOf(keys: HouseKeys, { gateways = 1, hasOtherSpace = false }: HouseOptions) {
  const own = keys.gateways.slice(0, gateways)
  const other = hasOtherSpace ? keys.gateways.slice(2, 3) : []
  const publicKeys = own.map(({ signing }) => signing.publicKey)
  return { pairs: [...own, ...other], publicKeys, otherKey: other[0]?.signing.publicKey }
}

/** The gateways in the same order. */
export const gatewayIdsOf = ({ gatewayIds, other }: HouseIds): readonly string[] =>
  other ? [...gatewayIds, other.gatewayId] : gatewayIds

/** The number of gateways that the wire of a cloud receives. */
export const onlineAt = (wire: Pick<CloudLife['wire'], 'online'>, { other, spaceId }: HouseIds): number =>
  wire.online(spaceId).length + (other ? wire.online(other.spaceId).length : 0)

async function build(seed: number, gates: readonly HouseGate[], options: HouseOptions) {
  // Every part answers from memory, so the consequences of an event are complete after one turn of the event loop.
  const world = fakeWorld(seed, 1)
  const profile = callProfile({ mode: 'reject' })
  const { edges = directEdges, keys = digestKeys } = options
  const broker = simulatedBroker(world, undefined, options.faults, message =>
    forgery(keys.thief.signing, keys.cloud.signing.keyId, profile, message),
  )
  const machine = createMachine(world, 'cloud')
  const { asksTasks = false, hasKeys = false, models } = options
  const cloudParts = { world, machine, lock: foreignLock(world), broker, keys, edges, asksTasks, hasKeys }
  const cloud = await startCloud(cloudParts)
  const { otherKey, pairs, publicKeys } = pairsOf(keys, options)
  const furniture = { gates, guests: options.guests ?? [], publicKeys, otherKey }
  const ids = await furnish(world, cloud.database, furniture)
  const side = (place: number, name: string, number: number) =>
    createGatewaySide({
      world,
      name: `${name} ${place + 1}`,
      gatewayId: gatewayIdsOf(ids)[place] ?? '',
      simulator: simulatorOf(world, number, gates, models?.[place]),
      model: models?.[place],
      broker,
      signingKey: keyOf({ gateways: pairs }, place),
      cloudKeys: () => [keys.cloud.verifying],
      edges,
    })
  const gateways = pairs.map((_, place) => side(place, 'gateway', place))
  const clone = (place: number) => side(place, 'clone', pairs.length + place)
  return { world, broker, cloudParts, runs: createCloudRuns(cloudParts, cloud), ids, gateways, clone }
}
type Built = Awaited<ReturnType<typeof build>>

function press({ ids, runs }: Built, asked: PressRequest): Promise<string> {
  const { desk, exchange, life } = runs.current()
  return pressAt({ world: life.world, exchange, idempotency: desk.idempotency }, ids, asked)
}

async function ended({ runs, world }: Built, openingId: string): Promise<OpeningFacts> {
  const { database, exchange } = runs.current()
  let isOver = false
  void exchange.requests.wait(openingId, 120_000).then(() => {
    isOver = true
  })
  await world.until(() => isOver)
  const [facts] = database.rows<OpeningFacts>('select * from openings where id = ?', openingId)
  if (!facts) throw new Error(`there is no opening ${openingId}`)
  return facts
}

export function sendAsUnknownBoot(
  { broker, ids, keys, world }: Pick<House, 'broker' | 'ids' | 'world'> & { readonly keys: HouseKeys },
  place: number,
  says: UnknownBootMessage,
  openingId: string | undefined,
) {
  const gatewayId = ids.gatewayIds[place] ?? ''
  const met = ['an unknown boot is heard']
  world.log.info('is heard', { who: 'unknown boot', met, says, gatewayId })
  const about = { gatewayId, says, openingId }
  const { payload, topic } = ofUnknownBoot(world, keyOf(keys, place), about)
  broker.inject(topic, payload)
}

function movesOf({ runs, world }: Built): Record<string, number> {
  const openers = world.lines.flatMap(({ fields, message }) =>
    message === 'the opener' ? [[`opener: ${fields.was} → ${fields.is} by ${fields.after}`, 1] as const] : [],
  )
  const moves: Record<string, number> = {}
  for (const [move, times] of [...runs.moves(), ...openers]) moves[move] = (moves[move] ?? 0) + times
  return moves
}

function storyOf({ gateways, runs, world }: Built): string {
  const { database } = runs.current()
  const rows = [
    database.rows('select * from openings order by id'),
    database.rows('select * from "openingReports" order by "gatewayId", "bootId", seq'),
  ]
  const lines = gateways.map(({ simulator }) =>
    simulator.wireLog().map(({ atMs, direction, text }) => [atMs, direction, text]),
  )
  return createHash('sha256')
    .update(JSON.stringify([rows, lines, world.lines]))
    .digest('hex')
}

/** Builds and starts the simulation, and waits until its modems are ready and the cloud knows its gateways. */
export async function createHouse(
  seed: number,
  gates: readonly HouseGate[],
  options: HouseOptions = {},
): Promise<House> {
  const built = await build(seed, gates, options)
  const { broker, clone, cloudParts, gateways, ids, runs, world } = built
  await runs.current().boot()
  for (const gateway of gateways) gateway.start('kept')
  const areKnown = () => onlineAt(runs.current().wire, ids) === gateways.length
  await world.until(() => areKnown() && gateways.every(gateway => gateway.isReady()))

  return {
    world,
    ids,
    gates,
    broker,
    gateways,
    clone,
    cloudMachine: cloudParts.machine,
    isRefusalSure: true,
    rows: (sql, ...values) => runs.current().database.rows(sql, ...values),
    change: (sql, ...values) => runs.current().database.change(sql, ...values),
    ruleWords: sqliteWords,
    isLocked: () => runs.current().life.isDead() || cloudParts.machine.isStalled(),
    databaseLock: cloudParts.lock,
    cloud: runs.current,
    restartCloud: runs.restart,
    times: runs.times,
    press: (...asked) => press(built, asked),
    ended: openingId => ended(built, openingId),
    sendAsUnknownBoot: (gateway, says, openingId) =>
      sendAsUnknownBoot({ ...built, keys: cloudParts.keys }, gateway, says, openingId),
    relayCount: gate =>
      gateways.reduce((sum, { simulator }) => sum + (simulator.state().gates[gate]?.relayCount ?? 0), 0),
    moves: () => movesOf(built),
    story: () => storyOf(built),
    async close() {
      runs.current().exchange.stop()
      for (const { simulator } of gateways) simulator.stop()
      await settle()
      await runs.close()
    },
  }
}
