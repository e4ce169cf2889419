// What a gateway may not do is refused by the embedded broker, operation by operation.

import type { Database } from '@callgate/cloud/database/database'
import { createBroker } from '@callgate/cloud/gateway/broker'
import { addGateway, revokeGateway } from '@callgate/cloud/gateway/gateways'
import { memoryDatabase, newSpace } from '@callgate/cloud/space/space.kit'
import { topicOf } from '@callgate/contract/wire/topics'
import type { MqttConnection, MqttHandlers } from '@callgate/mqtt/mqttConnection'
import { newId } from '@callgate/world/ids'
import { realWorld } from '@callgate/world/real'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Cast, type Login, type Operation, operations } from './operations.ts'

const world = realWorld({ logLevel: 'silent' })
const patient = { timeout: 30_000, interval: 20 }

interface House {
  readonly url: string
  readonly cast: Cast
  /** The cloud's own connection, and what it has received. */
  readonly cloud: MqttConnection
  readonly received: string[]
  stop(): Promise<void>
}

/** Gateways in a database, before any broker runs. */
async function enrolled(database: Database): Promise<Cast> {
  const spaceId = await newSpace({ database, world })
  const add = async (): Promise<Login> => {
    const given = { spaceId, name: 'Pi', publicKey: newId(world, 'key'), actor: 'operator' }
    const added = await addGateway({ database, world }, given)
    if (!added.ok) throw new Error(added.code)
    return { id: added.gateway.gatewayId, password: added.gateway.mqttPassword }
  }
  return { own: await add(), other: await add(), revoked: await add() }
}

/** The cloud's connection, once it is there. */
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

/** A connection that is made, or its refusal; never tried again. */
async function tried({ url }: House, options: Partial<IClientOptions>): Promise<MqttClient | undefined> {
  const given = { protocolVersion: 4, reconnectPeriod: 0, connectTimeout: 10_000, clean: true } as const
  const client = mqtt.connect(url, { ...given, ...options })
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
  const cast = await enrolled(database)
  const created = await createBroker({ world, database, port: 0, host: '127.0.0.1' })
  if (!created.ok) throw new Error(created.message)
  const { broker } = created
  const house = {
    url: `mqtt://127.0.0.1:${broker.port}`,
    cast,
    ...(await connected(broker.connectCloud)),
    async stop() {
      await broker.close()
      await database.close()
    },
  }
  await isRevoked(database, cast.revoked)
  // Once a minute a revoked gateway is let in to hear that it is revoked.
  const farewell = await tried(house, login(cast.revoked))
  await farewell?.endAsync(true)
  return house
}

/** Carries it out, and resolves when the broker has answered or cut the connection. */
async function carryOut(house: House, { connect, publish, subscribe }: Operation): Promise<string[]> {
  const { cast } = house
  const client = await tried(house, connect?.(cast) ?? login(cast.own))
  if (connect && client) {
    client.stream.destroy()
    await client.endAsync(true)
    // An answer, not a throw: the message names the operation.
    return ['it was let in']
  }
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

let count = 0
/** Another gateway and the cloud still talk, and hear nothing else. */
async function everythingMoves(house: House): Promise<void> {
  const { cast, cloud, received } = house
  const before = received.length
  const words = `word ${++count}`
  const other = await tried(house, login(cast.other))
  if (!other) throw new Error('the other gateway is not let in')
  const heard: string[] = []
  other.on('message', (topic, payload) => heard.push(`${topic} ${payload}`))
  await other.subscribeAsync(
    ['hint', 'grant', 'ack'].map(kind => topicOf(cast.other.id, kind as 'hint')),
    { qos: 1 },
  )
  await other.publishAsync(topicOf(cast.other.id, 'beat'), words, { qos: 1 })
  cloud.publish(topicOf(cast.other.id, 'hint'), words)
  await vi.waitFor(() => expect(heard).toEqual([`${topicOf(cast.other.id, 'hint')} ${words}`]), patient)
  await vi.waitFor(() => expect(received.length).toBeGreaterThan(before), patient)
  await other.endAsync(true)
}

describe('the embedded broker', () => {
  let house: House
  beforeAll(async () => {
    house = await embedded()
  })
  afterAll(() => house?.stop())

  it('lets a gateway send and read its own', () => everythingMoves(house))

  it.each(operations.map(operation => [operation.name, operation] as const))(
    'G1: refuses a gateway that %s',
    async (_operation, operation) => {
      expect(await carryOut(house, operation)).toEqual([])
      await everythingMoves(house)
      expect(house.received.filter(message => !/ word \d+$/.test(message))).toEqual([])
    },
  )
})
