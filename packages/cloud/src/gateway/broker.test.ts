import { once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import { topicOf } from '@callgate/contract/wire/topics'
import {
  connectMqtt,
  type MqttConnection,
  type MqttHandlers,
  type MqttOptions,
} from '@callgate/mqtt/mqttConnection'
import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Database } from '../database/database.ts'
import { memoryDatabase } from '../database/tables.kit.ts'
import { newSpace } from '../space/space.kit.ts'
import { type Broker, createBroker } from './broker.ts'
import { cutOff } from './cutOff.ts'
import { addGateway, changePassword, checkLogin, revokeGateway } from './gateways.ts'

let world: FakeWorld
let database: Database
let broker: Broker
let spaceId = ''
const open: MqttConnection[] = []

beforeEach(async () => {
  world = fakeWorld(1)
  database = await memoryDatabase()
  spaceId = await newSpace({ database, world })
  const created = await createBroker({ world, database, port: 0, host: '127.0.0.1' })
  if (!created.ok) throw new Error(created.message)
  broker = created.broker
})

afterEach(async () => {
  await Promise.all(open.splice(0).map(connection => connection.close()))
  await broker.close()
  await database.close()
})

const reconnect = { nextMs: () => 20, reset() {} }

interface Peer {
  readonly id: string
  readonly connection: MqttConnection
  readonly received: string[]
  readonly events: string[]
}

function connect(id: string, { isInside, ...options }: Partial<MqttOptions> & { isInside?: true }): Peer {
  const received: string[] = []
  const events: string[] = []
  const to = `mqtt://127.0.0.1:${broker.port}`
  const handlers: MqttHandlers = {
    onConnect: () => events.push('connected'),
    onDisconnect: () => events.push('disconnected'),
    onRefused: ({ message }) => events.push(message),
    onMessage: (topic, payload) => received.push(`${topic} ${Buffer.from(payload).toString()}`),
  }
  const connection = isInside
    ? broker.connectCloud(handlers)
    : connectMqtt({ to, clientId: id, subscribe: [topicOf(id, 'ack')], reconnect, ...options }, handlers)
  open.push(connection)
  return { id, connection, received, events }
}

const becomes = (peer: Peer, event: string | RegExp) =>
  vi.waitFor(() => expect(peer.events.join()).toMatch(event), { timeout: 15_000 })

async function newGateway(): Promise<{ id: string; password: string }> {
  const given = { spaceId, name: 'Pi', publicKey: newId(world, 'key'), actor: 'operator' }
  const added = await addGateway({ database, world }, given)
  if (!added.ok) throw new Error(added.code)
  return { id: added.gateway.gatewayId, password: added.gateway.mqttPassword }
}

async function gateway(options: Partial<MqttOptions> = {}): Promise<Peer> {
  const { id, password } = await newGateway()
  const peer = connect(id, { username: id, password, subscribe: [topicOf(id, 'hint')], ...options })
  await becomes(peer, 'connected')
  return peer
}

async function cloud(): Promise<Peer> {
  const peer = connect('cloud', { isInside: true })
  await becomes(peer, 'connected')
  return peer
}

describe('the broker', () => {
  it('carries messages both ways between the cloud and its gateways', async () => {
    const [inside, pi, other] = [await cloud(), await gateway(), await gateway()]
    pi.connection.publish(topicOf(pi.id, 'claim'), 'up')
    await vi.waitFor(() => expect(inside.received).toEqual([`${topicOf(pi.id, 'claim')} up`]), 20_000)
    inside.connection.publish(topicOf(pi.id, 'hint'), 'down')
    await vi.waitFor(() => expect(pi.received).toEqual([`${topicOf(pi.id, 'hint')} down`]), 20_000)
    expect(other.received).toEqual([])
  })

  it('refuses a login without the right password, and one as the cloud', async () => {
    const { id, password } = await newGateway()
    const { id: otherId } = await newGateway()
    const refused = /bad user name|Not authorized|Connection refused/i
    await becomes(connect(id, { username: id, password: 'wrong' }), refused)
    await becomes(connect(id, { username: id }), refused)
    await becomes(connect(otherId, { username: id, password }), refused)
    await becomes(connect(otherId, { username: otherId, password }), refused)
    await becomes(connect('cloud', { username: 'cloud', password }), refused)
    await becomes(connect('cloud', {}), refused)
    await revokeGateway({ database, world }, { gatewayId: id, actor: 'operator' })
    await becomes(connect(id, { username: id, password: 'wrong' }), refused)
  })

  it('accepts a revoked gateway for 10 s, once a minute, to let it hear from the cloud alone that it is refused', async () => {
    const { id, password } = await newGateway()
    await revokeGateway({ database, world }, { gatewayId: id, actor: 'operator' })
    const inside = await cloud()
    const subscribe = [topicOf(id, 'ack'), topicOf(id, 'hint')]
    const pi = connect(id, { username: id, password, subscribe })
    await becomes(pi, 'connected')
    pi.connection.publish(topicOf(id, 'beat'), 'up')
    await vi.waitFor(() => expect(inside.received).toEqual([`${topicOf(id, 'beat')} up`]), 20_000)
    for (const kind of ['hint', 'ack'] as const) inside.connection.publish(topicOf(id, kind), 'down')
    await vi.waitFor(() => expect(pi.received).toEqual([`${topicOf(id, 'ack')} down`]), 20_000)
    await world.advance(9_999)
    expect(pi.connection.isConnected()).toBe(true)
    await world.advance(1)
    await becomes(pi, 'disconnected,Connection refused: Bad username or password')
    await world.advance(49_999)
    expect(pi.connection.isConnected()).toBe(false)
    await world.advance(1)
    await becomes(pi, /disconnected,.*connected/)
  })

  it('cuts a revoked gateway that sends more than a farewell needs', async () => {
    const pi = await gateway()
    await revokeGateway({ database, world }, { gatewayId: pi.id, actor: 'operator' })
    await world.advance(5_000)
    await becomes(pi, 'disconnected,connected')
    const inside = await cloud()
    for (let count = 0; count < 65; count++) pi.connection.publish(topicOf(pi.id, 'beat'), 'more')
    await becomes(pi, 'disconnected,connected,disconnected')
    expect(inside.received.length).toBeLessThanOrEqual(64)
  })

  it('lets a gateway read its own three topics and no other', async () => {
    const id = 'gw_00000000000000000000000000'
    for (const topic of [
      '#',
      topicOf('+', 'hint'),
      topicOf(id, 'hint'),
      '$SYS/#',
      topicOf(id, 'hint').replace(/\/gw_.*/, '/#'),
      `$share/g/${topicOf(id, 'hint')}`,
    ]) {
      const { id: own, password } = await newGateway()
      const peer = connect(own, { username: own, password, subscribe: [topic] })
      await becomes(peer, /cannot subscribe/)
    }
    const own = await newGateway()
    const subscribe = ['hint', 'grant', 'ack'].map(kind => topicOf(own.id, kind as 'hint'))
    await becomes(connect(own.id, { username: own.id, password: own.password, subscribe }), 'connected')
    const claims = await newGateway()
    const listening = {
      username: claims.id,
      password: claims.password,
      subscribe: [topicOf(claims.id, 'claim')],
    }
    await becomes(connect(claims.id, listening), /cannot subscribe/)
  })

  it('cuts a gateway that publishes where it may not, and passes nothing on', async () => {
    const [inside, victim] = [await cloud(), await gateway()]
    for (const topic of [topicOf(victim.id, 'claim'), topicOf(victim.id, 'hint'), '$SYS/x', 'other']) {
      const peer = await gateway()
      peer.connection.publish(topic, 'forged')
      await becomes(peer, 'disconnected')
    }
    const own = await gateway()
    own.connection.publish(topicOf(own.id, 'hint'), 'to myself')
    await becomes(own, 'disconnected')
    const large = await gateway()
    large.connection.publish(topicOf(large.id, 'beat'), 'x'.repeat(40_000))
    await becomes(large, 'disconnected')
    expect([...inside.received, ...victim.received, ...own.received]).toEqual([])
  })

  it('accepts a will on its own beat topic, and no other', async () => {
    const inside = await cloud()
    const { id, password } = await newGateway()
    const will = (topic: string) => () => ({ topic, payload: 'gone' })
    const forged = connect(id, { username: id, password, will: will(topicOf(id, 'claim')) })
    await vi.waitFor(
      () => expect(world.lines.some(line => String(line.fields['why']).includes('will'))).toBe(true),
      20_000,
    )
    expect(forged.events).not.toContain('connected')
    await forged.connection.close()
    const pi = await gateway()
    await revokeGateway({ database, world }, { gatewayId: pi.id, actor: 'operator' })
    const own = connect(id, { username: id, password, will: will(topicOf(id, 'beat')) })
    await becomes(own, 'connected')
    await revokeGateway({ database, world }, { gatewayId: id, actor: 'operator' })
    await world.advance(2_000)
    await vi.waitFor(() => expect(inside.received).toEqual([`${topicOf(id, 'beat')} gone`]), 20_000)
  })

  it('cuts a gateway that costs too much, for an hour', async () => {
    const { id, password } = await newGateway()
    const pi = connect(id, { username: id, password })
    await becomes(pi, 'connected')
    await database.write(tx => cutOff(tx, world, id, 'reports'))
    await world.advance(5_000)
    await becomes(pi, 'disconnected')
    const login = (atMs: number) => checkLogin(database, id, Buffer.from(password), atMs)
    expect(await login(world.nowMs())).toBe('refused')
    expect(await login(world.nowMs() + 3_600_000)).toBe('admitted')
    // There is no farewell either for a gateway that costs too much.
    await revokeGateway({ database, world }, { gatewayId: id, actor: 'operator' })
    expect(await login(world.nowMs())).toBe('refused')
    expect(await login(world.nowMs() + 3_600_000)).toBe('revoked')
  })

  it('cuts a revoked gateway within 5 s, and leaves the others', async () => {
    const [revoked, other] = [await gateway(), await gateway()]
    await revokeGateway({ database, world }, { gatewayId: revoked.id, actor: 'operator' })
    await world.advance(5_000)
    await becomes(revoked, 'disconnected')
    expect(other.connection.isConnected()).toBe(true)
  })

  it('cuts a connection with a former password within 5 s, and leaves the others', async () => {
    const [pi, other] = [await gateway(), await gateway()]
    const given = { gatewayId: pi.id, actor: 'operator', keepPassword: () => 'sealed', isKept: false }
    const changed = await changePassword({ database, world }, given)
    if (!changed.ok) throw new Error(changed.code)
    await world.advance(5_000)
    await becomes(pi, /disconnected,.*Bad username or password/)
    await pi.connection.close()
    const renewed = connect(pi.id, { username: pi.id, password: changed.mqttPassword })
    await becomes(renewed, 'connected')
    await world.advance(5_000)
    await world.advance(5_000)
    expect([renewed.events, other.events]).toEqual([['connected'], ['connected']])
    expect(await database.knex('gateways').whereNotNull('passwordSealed')).toEqual([])
  })

  /** A silent connection from an address of this machine. */
  function stranger(localAddress: string, port = broker.port) {
    const socket = connectSocket({ port, host: '127.0.0.1', localAddress })
    const closed = new Promise<void>(resolve => socket.once('close', () => resolve()))
    socket.on('error', () => {})
    const connected = new Promise<void>(resolve => socket.once('connect', resolve))
    return { socket, closed, connected }
  }

  it('cuts a stranger that sends more than 4 KiB', async () => {
    const sender = stranger('127.0.0.2')
    // A CONNECT of 60 KiB, most of which is not sent yet.
    sender.socket.write(Buffer.concat([Buffer.from([0x10, 0xe0, 0xd4, 0x03]), Buffer.alloc(5_000)]))
    await sender.closed
  })

  it('accepts a late login of a gateway through a flood of strangers', async () => {
    const rules = { limits: { perAddress: 30, total: 40, promptMs: 2_000 } }
    const small = await createBroker({ world, database, port: 0, host: '127.0.0.1', rules })
    if (!small.ok) throw new Error(small.message)
    const { id, password } = await newGateway()
    const flood = Array.from({ length: 30 }, () => stranger('127.0.0.2', small.broker.port))
    await Promise.all(flood.map(({ connected }) => connected))
    const late = stranger('127.0.0.3', small.broker.port)
    await late.connected
    flood.push(...Array.from({ length: 60 }, () => stranger('127.0.0.4', small.broker.port)))
    await vi.waitFor(() => expect(flood.filter(({ socket }) => socket.closed).length).toBe(51), 20_000)
    late.socket.write(
      Buffer.concat([
        Buffer.from([0x10, 10 + 6 + 2 * id.length + password.length]),
        Buffer.from([0, 4, 77, 81, 84, 84, 4, 0xc2, 0, 60]),
        ...[id, id, password].flatMap(text => [Buffer.from([0, text.length]), Buffer.from(text)]),
      ]),
    )
    const [answer] = (await once(late.socket, 'data')) as [Buffer]
    expect([...answer]).toEqual([0x20, 2, 0, 0])
    await small.broker.close()
  })

  it('says what to do when its port is taken', async () => {
    const second = await createBroker({ world, database, port: broker.port, host: '127.0.0.1' })
    expect(second.ok ? '' : `${second.code}: ${second.message}`).toMatch(
      /^port_in_use: Port \d+ .* MQTT_PORT/,
    )
  })
})
