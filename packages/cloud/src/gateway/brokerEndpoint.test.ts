// The broker over TLS: real sockets, certificates in real files, and a fake clock.

import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect as connectSocket, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { topicOf } from '@callgate/contract/wire/topics'
import { renewed, selfSigned } from '@callgate/mqtt/certificate.kit'
import { connectMqtt, type MqttConnection } from '@callgate/mqtt/mqttConnection'
import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Database } from '../database/database.ts'
import { memoryDatabase } from '../database/tables.kit.ts'
import { loadCertificate } from '../network/certificate.ts'
import { newSpace } from '../space/space.kit.ts'
import { type Broker, createBroker } from './broker.ts'
import { addGateway } from './gateways.ts'

const patient = { timeout: 20_000 }

let world: FakeWorld
let database: Database
let broker: Broker
let folder = ''
const open: MqttConnection[] = []
const sockets: Socket[] = []

function writeFiles(pair: typeof selfSigned): { certFile: string; keyFile: string } {
  const files = { certFile: join(folder, 'cert'), keyFile: join(folder, 'key') }
  writeFileSync(files.certFile, pair.cert)
  writeFileSync(files.keyFile, pair.key)
  return files
}

beforeEach(async () => {
  world = fakeWorld(1)
  database = await memoryDatabase()
  folder = mkdtempSync(join(tmpdir(), 'callgate-tls-'))
  const loaded = await loadCertificate(world, writeFiles(selfSigned))
  if (!loaded.ok) throw new Error(loaded.message)
  const { certificate } = loaded
  const rules = { limits: { perAddress: 50, total: 50, promptMs: 0 } }
  const created = await createBroker({ world, database, port: 0, host: '127.0.0.1', certificate, rules })
  if (!created.ok) throw new Error(created.message)
  broker = created.broker
})

afterEach(async () => {
  await Promise.all(open.splice(0).map(connection => connection.close()))
  for (const socket of sockets.splice(0)) socket.destroy()
  await broker.close()
  await database.close()
  rmSync(folder, { recursive: true })
})

async function gateway(scheme = 'mqtts'): Promise<{ id: string; events: string[] }> {
  const spaceId = await newSpace({ database, world })
  const given = { spaceId, name: 'Pi', publicKey: newId(world, 'key'), actor: 'operator' }
  const added = await addGateway({ database, world }, given)
  if (!added.ok) throw new Error(added.code)
  const { gatewayId: id, mqttPassword: password } = added.gateway
  const events: string[] = []
  const connection = connectMqtt(
    {
      to: `${scheme}://localhost:${broker.port}`,
      clientId: id,
      username: id,
      password,
      ca: selfSigned.cert,
      subscribe: [topicOf(id, 'hint')],
      reconnect: { nextMs: () => 20, reset() {} },
    },
    {
      onConnect: () => events.push('connected'),
      onDisconnect: () => events.push('disconnected'),
      onRefused: ({ message }) => events.push(message),
      onMessage: (_topic, payload) => events.push(Buffer.from(payload).toString()),
    },
  )
  open.push(connection)
  return { id, events }
}

async function stranger(): Promise<{ socket: Socket; closed: Promise<void> }> {
  const socket = connectSocket(broker.port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {})
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()))
  // Unread bytes would hide the end.
  socket.resume()
  await once(socket, 'connect')
  return { socket, closed }
}

async function secured(): Promise<TLSSocket> {
  const socket = connectTls({ host: '127.0.0.1', port: broker.port, rejectUnauthorized: false })
  sockets.push(socket)
  socket.on('error', () => {})
  await once(socket, 'secureConnect')
  return socket
}

async function shownCertificate(): Promise<string> {
  const socket = await secured()
  const { serialNumber } = socket.getPeerCertificate()
  socket.destroy()
  return serialNumber
}

it('speaks TLS with a gateway, and closes a connection without TLS', async () => {
  const [pi, plain] = [await gateway(), await gateway('mqtt')]
  await vi.waitFor(() => expect(pi.events).toEqual(['connected']), patient)
  const events: string[] = []
  const inside = broker.connectCloud({
    onConnect: () => events.push('in'),
    onDisconnect() {},
    onRefused() {},
    onMessage() {},
  })
  open.push(inside)
  await vi.waitFor(() => expect(events).toEqual(['in']), patient)
  inside.publish(topicOf(pi.id, 'hint'), 'down')
  await vi.waitFor(() => expect(pi.events).toEqual(['connected', 'down']), patient)
  expect(plain.events).not.toContain('connected')
})

it('limits a handshake to 5 s from the connection, wherever it stops', async () => {
  const hello = await clientHello()
  const stalled = []
  for (const bytes of [0, 1, 5, Math.floor(hello.length / 2), hello.length]) {
    const one = await stranger()
    one.socket.write(hello.subarray(0, bytes))
    stalled.push(one)
  }
  // All are accepted once a later one is served.
  const prompt = await secured()
  prompt.destroy()
  await world.advance(4_900)
  expect(stalled.map(({ socket }) => socket.closed)).toEqual(stalled.map(() => false))
  await world.advance(100)
  await Promise.all(stalled.map(({ closed }) => closed))
})

it('counts a stranger from its connection on, before it has sent anything', async () => {
  const pi = await gateway()
  await vi.waitFor(() => expect(pi.events).toEqual(['connected']), patient)
  const first = await stranger()
  for (let count = 1; count < 50; count++) await stranger()
  await first.closed
  const prompt = await secured()
  expect(prompt.closed).toBe(false)
  expect(pi.events).toEqual(['connected'])
})

it('survives a reset at every byte of the first flight, and garbage in its place', async () => {
  const hello = await clientHello()
  for (let bytes = 0; bytes <= hello.length; bytes++) {
    const { socket } = await stranger()
    socket.write(hello.subarray(0, bytes))
    socket.resetAndDestroy()
  }
  const { closed, socket } = await stranger()
  socket.write('GET / HTTP/1.1\r\n\r\n')
  await closed
  expect(await shownCertificate()).toBe('01')
})

it('limits what arrives over TLS before a login', async () => {
  const sender = await secured()
  const cut = once(sender, 'close')
  sender.write(Buffer.concat([Buffer.from([0x10, 0xe0, 0xd4, 0x03]), Buffer.alloc(5_000)]))
  await cut
})

it('takes over a renewed certificate without a restart and without an interruption', async () => {
  const pi = await gateway()
  await vi.waitFor(() => expect(pi.events).toEqual(['connected']), patient)
  expect(await shownCertificate()).toBe('01')
  writeFiles(renewed)
  await vi.waitFor(async () => {
    await world.advance(30_000)
    expect(world.lines.map(line => line.message)).toContain('the broker uses the new certificate')
  }, patient)
  expect(await shownCertificate()).toBe('02')
  expect(pi.events).toEqual(['connected'])
})

/** The first bytes of a client, up to the point where it waits for the server. */
async function clientHello(): Promise<Buffer> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const client = connectTls({ host: '127.0.0.1', port, servername: 'localhost' })
  client.on('error', () => {})
  const [socket] = (await once(server, 'connection')) as [Socket]
  const [bytes] = (await once(socket, 'data')) as [Buffer]
  client.destroy()
  socket.destroy()
  server.close()
  return bytes
}
