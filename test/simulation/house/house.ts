// The seeded house: cloud on real SQLite, gateways, modems, simulators and network in one process on one seeded world.

import { createHash } from 'node:crypto'
import type { Actor } from '@callgate/cloud/opening/presses'
import { callProfile } from '@callgate/contract/call/callProfile'
import type { SigningKey } from '@callgate/contract/wire/signature'
import { createSimulator, type Simulator } from '@callgate/simulator/simulator'
import { type FakeWorld, fakeWorld, settle } from '@callgate/world/fake'
import { moment } from '@callgate/world/world'
import { type CloudLife, startCloud } from './cloudLife.ts'
import { type Edges, openEdges } from './edges.ts'
import { type ForeignLock, foreignLock, wasLocked } from './foreignLock.ts'
import { forgery, ofUnknownBoot } from './forger.ts'
import { furnish, type HouseGate, type HouseGuest, type HouseIds, phoneNumberOf } from './furnish.ts'
import { type GatewaySide, gatewaySide } from './gatewaySide.ts'
import type { OpeningTimes } from './lifeDatabase.ts'
import { createMachine, type Machine } from './machine.ts'
import type { UnknownWords } from './plan.ts'
import { digestKeys, type HouseKeys } from './signingKeys.ts'
import { type SimulatedWire, simulatedWire, type WireFaults } from './wire.ts'

export interface HouseOptions {
  /** 1 where nothing is said. */
  readonly gateways?: number
  readonly guests?: readonly HouseGuest[]
  readonly faults?: Partial<WireFaults>
  readonly edges?: Edges
  /** Quick ones where nothing is said. */
  readonly keys?: HouseKeys
}

export interface House {
  readonly world: FakeWorld
  readonly ids: HouseIds
  readonly broker: SimulatedWire
  readonly gateways: readonly GatewaySide[]
  /** What the cloud's lives run on. */
  readonly cloudMachine: Machine
  /** Another program on the cloud's database. */
  readonly databaseLock: ForeignLock
  /** The cloud's life that runs now, or the last one. */
  cloud(): CloudLife
  /**
   * Ends the cloud's life where it still runs, and begins another on the same database. `onFailed`: it ended in its start,
   * since another program locks the database.
   */
  restartCloud(onFailed?: () => void): Promise<void>
  /** Presses a gate, by its place in the list, as the API key or as a guest; answers with the opening's id. */
  press(gate: number, guest?: number): Promise<string>
  /** The opening's row, once it has ended. */
  ended(openingId: string): Promise<OpeningFacts>
  /** A message of a start of that gateway that the cloud has never taken up; a claim of the opening, where there is one. */
  hearUnknownBoot(gateway: number, says: UnknownWords, openingId: string | undefined): void
  /** A copy of that gateway's card in another Pi, with a modem of its own; not started. */
  clone(gateway: number): GatewaySide
  relayCount(gate: number): number
  /** How often an opening went from one status to another, and an opener from one phase to another, and after what. */
  moves(): Record<string, number>
  /** When each opening began, was granted and first ended, by its id. */
  times(): ReadonlyMap<string, OpeningTimes>
  /** A digest of everything that happened: rows, messages, bytes on the line. */
  story(): string
  close(): Promise<void>
}

export interface OpeningFacts {
  readonly status: string
  readonly reason: string | null
  readonly opened: string | null
  readonly joinedOpeningId: string | null
}

function keyOf({ gateways }: HouseKeys, gateway: number): SigningKey {
  const pair = gateways[gateway]
  if (!pair) throw new Error(`there is no gateway ${gateway + 1}`)
  return pair.signing
}

function simulatorOf(world: FakeWorld, place: number, gates: readonly HouseGate[]): Simulator {
  return createSimulator({
    world,
    seed: world.seed + place,
    network: 'normal',
    registered: true,
    number: `+4071111111${place + 1}`,
    gates: gates.map(({ farEnd, network }, gate) => ({
      ...network,
      phoneNumber: phoneNumberOf(gate),
      farEnd,
    })),
  })
}

async function build(seed: number, gates: readonly HouseGate[], options: HouseOptions) {
  // Memory on every side: whatever follows from an event has followed at the end of the turn.
  const world = fakeWorld(seed, 1)
  const profile = callProfile({ mode: 'reject' })
  const { edges = openEdges, keys = digestKeys } = options
  const broker = simulatedWire(world, undefined, options.faults, message =>
    forgery(keys.thief.signing, keys.cloud.signing.keyId, profile, message),
  )
  const pairs = keys.gateways.slice(0, options.gateways ?? 1)
  const cloudParts = {
    world,
    machine: createMachine(world, 'cloud'),
    lock: foreignLock(world),
    broker,
    keys,
    edges,
  }
  const cloud = await startCloud(cloudParts)
  const publicKeys = pairs.map(({ signing }) => signing.publicKey)
  const ids = await furnish(world, cloud.database, { gates, guests: options.guests ?? [], publicKeys })
  const side = (place: number, name: string, number: number) =>
    gatewaySide({
      world,
      name: `${name} ${place + 1}`,
      gatewayId: ids.gatewayIds[place] ?? '',
      simulator: simulatorOf(world, number, gates),
      broker,
      signingKey: keyOf(keys, place),
      cloudKeys: [keys.cloud.verifying],
      edges,
    })
  const gateways = pairs.map((_, place) => side(place, 'gateway', place))
  const clone = (place: number) => side(place, 'clone', pairs.length + place)
  return { world, broker, cloud, cloudParts, ids, gateways, clone }
}

/** Builds and starts the house, and waits until its modems are ready and its gateways known. */
export async function createHouse(
  seed: number,
  gates: readonly HouseGate[],
  options: HouseOptions = {},
): Promise<House> {
  const built = await build(seed, gates, options)
  const { broker, clone, cloudParts, gateways, ids, world } = built
  let { cloud } = built
  const former: CloudLife[] = []
  await cloud.boot()
  for (const gateway of gateways) gateway.start('kept')
  const areKnown = () => cloud.wire.online(ids.spaceId).length === gateways.length
  await world.until(() => areKnown() && gateways.every(gateway => gateway.isReady()))

  return {
    world,
    ids,
    broker,
    gateways,
    cloudMachine: cloudParts.machine,
    cloud: () => cloud,
    databaseLock: cloudParts.lock,
    async restartCloud(onFailed) {
      cloud.life.kill()
      cloudParts.machine.goOn()
      former.push(cloud)
      cloud = await startCloud(cloudParts, cloud.database.dump())
      const started = cloud
      started.boot().catch(error => {
        if (!onFailed || !wasLocked(error)) throw error
        started.life.kill('ended in its start')
        if (cloud === started) onFailed()
      })
    },
    async press(gate, guest) {
      const { apiKeyId, gateIds, guests, spaceId } = ids
      const by = guest === undefined ? undefined : guests[guest]
      const actor: Actor = by
        ? {
            actorType: 'guest',
            actorName: 'guest',
            actorEmail: null,
            memberId: by.memberId,
            accessId: by.accessId,
          }
        : { actorType: 'owner', actorName: 'api:door', actorEmail: null, apiKeyId }
      const gateId = gateIds[gate] ?? ''
      const pressed = await cloud.exchange.press({ spaceId, gateId, actor, since: moment(cloud.life.world) })
      if (!pressed) throw new Error(`there is no gate ${gate}`)
      return pressed.openingId
    },
    async ended(openingId) {
      let isOver = false
      void cloud.exchange.wait(openingId, 120_000).then(() => {
        isOver = true
      })
      await world.until(() => isOver)
      const [facts] = cloud.database.rows<OpeningFacts>('select * from openings where id = ?', openingId)
      if (!facts) throw new Error(`there is no opening ${openingId}`)
      return facts
    },
    hearUnknownBoot(place, says, openingId) {
      const gatewayId = ids.gatewayIds[place] ?? ''
      const met = ['an unknown boot is heard']
      world.log.info('is heard', { who: 'unknown boot', met, says, gatewayId })
      const { payload, topic } = ofUnknownBoot(world, keyOf(cloudParts.keys, place), {
        gatewayId,
        says,
        openingId,
      })
      broker.say(topic, payload)
    },
    clone,
    relayCount: gate =>
      gateways.reduce((sum, { simulator }) => sum + (simulator.state().gates[gate]?.relayCount ?? 0), 0),
    moves() {
      const times: Record<string, number> = {}
      const add = (move: string, count: number) => {
        times[move] = (times[move] ?? 0) + count
      }
      for (const life of [...former, cloud])
        for (const { now, times: count, was } of life.database.moves()) add(`opening: ${was} → ${now}`, count)
      for (const { fields, message } of world.lines)
        if (message === 'the opener') add(`opener: ${fields.was} → ${fields.is} by ${fields.after}`, 1)
      return times
    },
    times() {
      const firsts = new Map<string, OpeningTimes>()
      for (const { database } of [...former, cloud])
        for (const { id, ...later } of database.times()) {
          const { begunMs, endedMs, grantedMs } = firsts.get(id) ?? later
          firsts.set(id, {
            begunMs: begunMs ?? later.begunMs,
            grantedMs: grantedMs ?? later.grantedMs,
            endedMs: endedMs ?? later.endedMs,
          })
        }
      return firsts
    },
    story() {
      const rows = [
        cloud.database.rows('select * from openings order by id'),
        cloud.database.rows('select * from "openingReports" order by "gatewayId", "bootId", seq'),
      ]
      const lines = gateways.map(({ simulator }) =>
        simulator.wireLog().map(({ atMs, direction, text }) => [atMs, direction, text]),
      )
      return createHash('sha256')
        .update(JSON.stringify([rows, lines, world.lines]))
        .digest('hex')
    },
    async close() {
      cloud.exchange.stop()
      for (const { simulator } of gateways) simulator.stop()
      await settle()
      for (const one of [...former, cloud]) await one.database.close()
    },
  }
}
