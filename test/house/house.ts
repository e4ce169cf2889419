// The seeded house: cloud on real SQLite, gateway, modem, simulator and network in one process on one seeded world.

import { createHash } from 'node:crypto'
import { type Database, migrate, openDatabase } from '@callgate/cloud/database'
import { createExchange, type Exchange } from '@callgate/cloud/exchange'
import { createGatewayWire, upTopics } from '@callgate/cloud/gatewayWire'
import { type CallProfileInput, callProfile } from '@callgate/contract/callProfile'
import { signingKey, type VerifyingKey, verifyingKey } from '@callgate/contract/signature'
import { createDaemon, type Daemon } from '@callgate/gateway/daemon'
import { openJournal } from '@callgate/gateway/journal'
import { createModem } from '@callgate/modem/modem'
import type { FarEndName } from '@callgate/simulator/presets'
import { createSimulator, type Simulator } from '@callgate/simulator/simulator'
import { type FakeWorld, fakeWorld, settle } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { isoTime, moment } from '@callgate/world/world'
import { simulatedDisk } from './disk.ts'
import { type SimulatedWire, simulatedWire, type WireFaults } from './wire.ts'

export interface HouseGate {
  readonly farEnd: FarEndName
  readonly profile: CallProfileInput
}

export interface House {
  readonly world: FakeWorld
  readonly database: Database
  readonly simulator: Simulator
  readonly daemon: Daemon
  readonly broker: SimulatedWire
  /** Presses a gate, by its place in the list, and answers with the opening's id. */
  press(gate: number): Promise<string>
  /** The opening's row, once it has ended. */
  ended(openingId: string): Promise<OpeningFacts>
  relayCount(gate: number): number
  /** A digest of everything that happened: rows, messages, bytes on the line. */
  story(): Promise<string>
  close(): Promise<void>
}

export interface OpeningFacts {
  readonly status: string
  readonly reason: string | null
  readonly opened: string | null
  readonly joinedOpeningId: string | null
}

const phoneNumberOf = (gate: number) => `+4072200000${gate + 1}`

function keyPair(world: FakeWorld) {
  const key = signingKey(world.randomBytes(32))
  const verifying = verifyingKey(key.publicKey)
  if (!verifying) throw new Error('a key of ours cannot be read')
  return { key, verifying }
}

/** One Space with a key, a gateway and the gates; straight into the tables, as the REST API is not in this house. */
async function furnish(world: FakeWorld, database: Database, gates: readonly HouseGate[], publicKey: string) {
  const createdAt = isoTime(world.nowMs())
  const ids = { spaceId: newId(world, 'space'), apiKeyId: newId(world, 'key'), gatewayId: newId(world, 'gw') }
  const { apiKeyId, gatewayId, spaceId } = ids
  const { knex } = database
  const zone = { country: 'RO', timezone: 'Europe/Bucharest', language: 'en' }
  await knex('spaces').insert({ id: spaceId, name: 'House', plan: 'pro', ...zone, createdAt })
  const scopes = JSON.stringify(['gates:open'])
  const key = { spaceId, name: 'door', keyHash: 'none', shownPrefix: 'svc_live_', scopes, createdAt }
  await knex('apiKeys').insert({ ...key, id: apiKeyId })
  await knex('gateways').insert({
    id: gatewayId,
    spaceId,
    name: 'Pi',
    publicKey,
    passwordHash: 'none',
    createdAt,
  })
  const gateIds: string[] = []
  for (const [place, { farEnd, profile }] of gates.entries()) {
    const id = newId(world, 'gate')
    gateIds.push(id)
    const gate = {
      id,
      spaceId,
      name: farEnd,
      phoneNumber: phoneNumberOf(place),
      location: '',
      isActive: true,
    }
    await knex('gates').insert({ ...gate, createdAt, callProfile: JSON.stringify(callProfile(profile)) })
  }
  return { ...ids, gateIds }
}

async function buildGateway(parts: {
  world: FakeWorld
  simulator: Simulator
  connect: Parameters<typeof createDaemon>[0]['connect']
  gatewayId: string
  pair: ReturnType<typeof keyPair>
  cloudKeys: readonly VerifyingKey[]
}): Promise<Daemon> {
  const { cloudKeys, connect, gatewayId, pair, simulator, world } = parts
  const opened = await openJournal({ world, disk: simulatedDisk() })
  if (!opened.ok) throw new Error(opened.message)
  const modem = createModem({
    world,
    baudRate: 115_200,
    async openLine() {
      const line = simulator.connect()
      return line ? { ok: true, line } : { ok: false, code: 'port_missing', message: 'unplugged' }
    },
  })
  return createDaemon({
    world,
    gatewayId,
    signingKey: pair.key,
    cloudKeys,
    portName: 'memory',
    modem,
    journal: opened.journal,
    connect,
    onSuperseded: () => world.log.error('superseded'),
  })
}

/** Builds and starts the house, and waits until its modem is ready and its gateway known. */
export async function createHouse(
  seed: number,
  gates: readonly HouseGate[],
  faults?: WireFaults,
): Promise<House> {
  const world = fakeWorld(seed)
  const database = await openDatabase({ url: ':memory:' })
  await migrate(database)
  const cloudPair = keyPair(world)
  const gatewayPair = keyPair(world)
  const ids = await furnish(world, database, gates, gatewayPair.key.publicKey)
  const broker = simulatedWire(world, undefined, faults)
  const wire = createGatewayWire({
    world,
    database,
    signingKey: cloudPair.key,
    connect: handlers => broker.connect({ subscribe: upTopics }, handlers),
  })
  const exchange: Exchange = createExchange({ world, database, door: wire })
  const simulator = createSimulator({
    world,
    seed,
    network: 'normal',
    registered: true,
    number: '+40711111111',
    gates: gates.map(({ farEnd }, place) => ({ phoneNumber: phoneNumberOf(place), farEnd })),
  })
  const daemon = await buildGateway({
    world,
    simulator,
    connect: broker.connect,
    gatewayId: ids.gatewayId,
    pair: gatewayPair,
    cloudKeys: [cloudPair.verifying],
  })
  await exchange.start()
  wire.start(exchange)
  daemon.start()
  const isReady = () => world.lines.some(line => line.message === 'modem ready')
  await world.until(() => isReady() && wire.online(ids.spaceId).length > 0)

  const row = (openingId: string): Promise<OpeningFacts | undefined> =>
    database
      .knex('openings')
      .select('status', 'reason', 'opened', 'joinedOpeningId')
      .where({ id: openingId })
      .first()

  return {
    world,
    database,
    simulator,
    daemon,
    broker,
    async press(gate) {
      const actor = {
        actorType: 'owner',
        actorName: 'api:door',
        actorEmail: null,
        apiKeyId: ids.apiKeyId,
      } as const
      const gateId = ids.gateIds[gate] ?? ''
      const pressed = await exchange.press({ spaceId: ids.spaceId, gateId, actor, since: moment(world) })
      if (!pressed) throw new Error(`there is no gate ${gate}`)
      return pressed.openingId
    },
    async ended(openingId) {
      let isOver = false
      void exchange.wait(openingId, 120_000).then(() => {
        isOver = true
      })
      await world.until(() => isOver)
      const facts = await row(openingId)
      if (!facts) throw new Error(`there is no opening ${openingId}`)
      return facts
    },
    relayCount: gate => simulator.state().gates[gate]?.relayCount ?? 0,
    async story() {
      const rows = [
        await database.knex('openings').orderBy('id'),
        await database.knex('openingReports').orderBy('seq'),
      ]
      const line = simulator.wireLog().map(({ atMs, direction, text }) => [atMs, direction, text])
      return createHash('sha256')
        .update(JSON.stringify([rows, broker.delivered, line, world.lines]))
        .digest('hex')
    },
    async close() {
      exchange.stop()
      simulator.stop()
      await settle()
      await database.close()
    },
  }
}
