// The embedded broker and a real Mosquitto refuse what a gateway may not do, operation by operation.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '@callgate/cloud/database/database'
import { memoryDatabase } from '@callgate/cloud/database/tables.kit'
import { createBroker } from '@callgate/cloud/gateway/broker'
import { firstAccounts } from '@callgate/cloud/gateway/brokerSetup'
import { addGateway, changePassword, passwordKeeper, revokeGateway } from '@callgate/cloud/gateway/gateways'
import { openOwnBroker } from '@callgate/cloud/gateway/ownBroker'
import { newSeal, newSpace } from '@callgate/cloud/space/space.kit'
import { downKinds, topicOf } from '@callgate/contract/wire/topics'
import type { MqttConnection, MqttHandlers } from '@callgate/mqtt/mqttConnection'
import { newId } from '@callgate/world/ids'
import { realWorld } from '@callgate/world/real'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { slowness } from '../slowness.ts'
import { newMosquitto, withoutMosquitto } from './mosquitto.ts'
import { type Cast, type Login, type Operation, operations } from './operations.ts'

const world = realWorld({ logLevel: 'silent' })
const patient = { timeout: 30_000, interval: 20 }

interface House {
  readonly url: string
  readonly ca: string | undefined
  readonly cast: Cast
  /** The cloud's own connection, and the messages that it has received. */
  readonly cloud: MqttConnection
  readonly received: string[]
  /** A gateway that no other test uses, and a function that gives it a new password. */
  readonly spare: Login
  renew(): Promise<Login>
  stop(): Promise<void>
}

/** Gateways in a database, made before any broker runs. */
async function enrolled(database: Database, seal = newSeal(world)) {
  const spaceId = await newSpace({ database, world })
  const keepPassword = passwordKeeper(seal)
  const add = async (): Promise<Login> => {
    const given = { spaceId, name: 'Pi', publicKey: newId(world, 'key'), actor: 'operator', keepPassword }
    const added = await addGateway({ database, world }, given)
    if (!added.ok) throw new Error(added.code)
    return { id: added.gateway.gatewayId, password: added.gateway.mqttPassword }
  }
  const spare = await add()
  const renew = async (): Promise<Login> => {
    const given = { gatewayId: spare.id, actor: 'operator', keepPassword, isKept: true }
    const changed = await changePassword({ database, world }, given)
    if (!changed.ok) throw new Error(changed.code)
    return { id: spare.id, password: changed.mqttPassword }
  }
  return { seal, spare, renew, cast: { own: await add(), other: await add(), revoked: await add() } }
}

/** The cloud's connection, once it is up. */
async function connected(connect: (handlers: MqttHandlers) => MqttConnection) {
  const received: string[] = []
  const cloud = connect({
    onConnect() {},
    onDisconnect() {},
    onRefused() {},
    onMessage: (topic, payload) => received.push(`${topic} ${Buffer.from(payload).toString().slice(0, 20)}`),
  })
  await vi.waitFor(() => expect(cloud.isConnected()).toBe(true), patient)
  return { cloud, received }
}

/** A connection, or undefined where it is refused; it is never repeated. */
async function tried({ ca, url }: House, options: Partial<IClientOptions>): Promise<MqttClient | undefined> {
  const given = { protocolVersion: 4, reconnectPeriod: 0, connectTimeout: 10_000, clean: true } as const
  const client = mqtt.connect(url, { ...given, ...(ca !== undefined && { ca }), ...options })
  client.on('error', () => {})
  const isIn = await new Promise<boolean>(resolve => {
    client.once('connect', () => resolve(true))
    client.once('close', () => resolve(false))
  })
  if (isIn) return client
  await client.endAsync(true)
  return undefined
}

const login = ({ id, password }: Login) => ({ clientId: id, username: id, password })
const isRevoked = (database: Database, { id }: Login) =>
  revokeGateway({ database, world }, { gatewayId: id, actor: 'operator' })

async function embedded(): Promise<House> {
  const database = await memoryDatabase()
  const { cast, renew, spare } = await enrolled(database)
  const created = await createBroker({ world, database, port: 0, host: '127.0.0.1' })
  if (!created.ok) throw new Error(created.message)
  const { broker } = created
  const house = {
    url: `mqtt://127.0.0.1:${broker.port}`,
    ca: undefined,
    cast,
    spare,
    renew,
    ...(await connected(broker.connectCloud)),
    async stop() {
      await broker.close()
      await database.close()
    },
  }
  await isRevoked(database, cast.revoked)
  // Once a minute a revoked gateway is admitted, so that it can learn of its revocation.
  const farewell = await tried(house, login(cast.revoked))
  await farewell?.endAsync(true)
  return house
}

async function mosquitto(): Promise<House> {
  const folder = mkdtempSync(join(tmpdir(), 'callgate-mosquitto-'))
  const database = await memoryDatabase()
  const { cast, renew, seal, spare } = await enrolled(database)
  const broker = await newMosquitto(folder)
  const cloud = { user: 'callgate', password: 'of the cloud' }
  const admin = { user: 'callgate-admin', password: 'of the admin' }
  writeFileSync(broker.accountsFile, await firstAccounts(world, { cloud, admin }), { mode: 0o600 })
  await broker.start()
  const urlOf = (name: string, password: string) =>
    `mqtts://${name}:${encodeURIComponent(password)}@localhost:${broker.port}`
  const opened = await openOwnBroker({
    world,
    database,
    mqttUrl: urlOf(cloud.user, cloud.password),
    mqttAdminUrl: urlOf(admin.user, admin.password),
    files: { mqttCaFile: broker.caFile, mqttClientTls: undefined },
  })
  if (!opened.ok) throw new Error(opened.message)
  const accounts = opened.accounts(seal)
  accounts?.start()
  const house = {
    url: `mqtts://localhost:${broker.port}`,
    ca: readFileSync(broker.caFile, 'utf8'),
    cast,
    spare,
    renew,
    ...(await connected(opened.connect)),
    async stop() {
      await accounts?.stop()
      await house.cloud.close()
      await broker.stop()
      await database.close()
      rmSync(folder, { recursive: true })
    },
  }
  // A gateway that is revoked while it is connected loses its connection within 5 s.
  const running = await vi.waitFor(async () => {
    const client = await tried(house, login(cast.revoked))
    expect(client).toBeDefined()
    return client
  }, patient)
  await isRevoked(database, cast.revoked)
  const revokedMs = world.monotonicMs()
  await vi.waitFor(() => expect(running?.connected).toBe(false), patient)
  expect(world.monotonicMs() - revokedMs).toBeLessThan(5_000 * slowness())
  await running?.endAsync(true)
  return house
}

/** What another gateway receives when a client with a last will is cut off. A broker may admit the client, and drop the will. */
async function dies(house: House, client: MqttClient): Promise<string[]> {
  const { other, heard } = await listens(house)
  client.stream.destroy()
  await client.endAsync(true)
  // The client's next connection ends the one before, so its will has been sent or dropped.
  const next = await tried(house, login(house.cast.own))
  await next?.endAsync(true)
  await other.endAsync(true)
  return heard
}

/** Carries out the operation, and resolves when the broker has answered or cut the connection. */
async function carryOut(house: House, { connect, publish, subscribe }: Operation): Promise<string[]> {
  const { cast } = house
  const client = await tried(house, connect?.(cast) ?? login(cast.own))
  // Returned rather than thrown: the message names the operation.
  if (connect && client) return client.options.will ? dies(house, client) : ['it was let in']
  if (!client) return connect ? [] : ['the gateway itself was not let in']
  const heard: string[] = []
  client.on('message', topic => heard.push(`it received ${topic}`))
  const cut = new Promise<void>(resolve => client.once('close', () => resolve()))
  if (publish) {
    const { payload, topic, ...how } = publish(cast)
    await Promise.race([client.publishAsync(topic, payload, { qos: 1, ...how }).catch(() => {}), cut])
  }
  if (subscribe) {
    const granted = client.subscribeAsync(subscribe(cast), { qos: 1 }).then(
      answers => answers.some(({ qos }) => qos < 128),
      () => false,
    )
    if (await Promise.race([granted, cut.then(() => false)])) heard.push('the subscription was granted')
  }
  await everythingMoves(house)
  await client.endAsync(true)
  return heard
}

/** Another gateway that reads its own topics. */
async function listens(house: House) {
  const { cast } = house
  const other = await tried(house, login(cast.other))
  if (!other) throw new Error('the other gateway is not let in')
  const heard: string[] = []
  other.on('message', (topic, payload) => heard.push(`${topic} ${payload}`))
  await other.subscribeAsync(
    downKinds.map(kind => topicOf(cast.other.id, kind)),
    { qos: 1 },
  )
  return { other, heard }
}

let count = 0
/** Another gateway and the cloud can still exchange messages, and receive nothing else. */
async function everythingMoves(house: House): Promise<void> {
  const { cast, cloud, received } = house
  const before = received.length
  const words = `word ${++count}`
  const { heard, other } = await listens(house)
  await other.publishAsync(topicOf(cast.other.id, 'beat'), words, { qos: 1 })
  cloud.publish(topicOf(cast.other.id, 'hint'), words)
  await vi.waitFor(() => expect(heard).toEqual([`${topicOf(cast.other.id, 'hint')} ${words}`]), patient)
  await vi.waitFor(() => expect(received.length).toBeGreaterThan(before), patient)
  await other.endAsync(true)
}

const brokers = [
  ['the embedded broker', embedded, undefined],
  ['Mosquitto', mosquitto, withoutMosquitto],
] as const

describe.each(brokers)('%s', (_name, build, missing) => {
  if (missing !== undefined) {
    it('refuses operations that a gateway may not do', ({ skip }) => skip(missing))
    return
  }
  let house: House
  beforeAll(async () => {
    house = await build()
  })
  afterAll(() => house?.stop())

  it('lets a gateway send and read its own messages', () => everythingMoves(house))

  it('cuts a connection with a former password within 5 s, and admits the new password alone', async () => {
    const running = await tried(house, login(house.spare))
    expect(running?.connected).toBe(true)
    const renewed = await house.renew()
    const changedMs = world.monotonicMs()
    await vi.waitFor(() => expect(running?.connected).toBe(false), patient)
    expect(world.monotonicMs() - changedMs).toBeLessThan(5_000 * slowness())
    await running?.endAsync(true)
    expect(await tried(house, login(house.spare))).toBeUndefined()
    const again = await tried(house, login(renewed))
    expect(again?.connected).toBe(true)
    await again?.endAsync(true)
    await everythingMoves(house)
  })

  it.each(operations.map(operation => [operation.name, operation] as const))(
    'G1: refuses a gateway that %s',
    async (_operation, operation) => {
      expect(await carryOut(house, operation)).toEqual([])
      await everythingMoves(house)
      expect(house.received.filter(message => !/ word \d+$/.test(message))).toEqual([])
    },
  )
})
