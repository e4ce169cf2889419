// Our MQTT client with a real broker that accepts every client: over sockets, TLS, and streams that break.

import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { createServer as createTlsServer } from 'node:tls'
import { Aedes } from 'aedes'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { selfSigned } from './certificate.kit.ts'
import { connectMqtt, type MqttConnection, type MqttOptions } from './mqttConnection.ts'

const patient = { timeout: 20_000 }

let broker: Aedes
const servers: Server[] = []
const sockets = new Set<Socket>()
const open: MqttConnection[] = []

async function listen(server: Server): Promise<number> {
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function serve(socket: Socket) {
  sockets.add(socket)
  broker.handle(socket)
}

beforeEach(async () => {
  broker = await Aedes.createBroker()
})

afterEach(async () => {
  await Promise.all(open.splice(0).map(connection => connection.close()))
  for (const socket of sockets) socket.destroy()
  await Promise.all(
    servers.splice(0).map(server => new Promise<void>(resolve => server.close(() => resolve()))),
  )
  await new Promise<void>(resolve => broker.close(() => resolve()))
})

const reconnect = { nextMs: () => 20, reset() {} }

function connect(options: Pick<MqttOptions, 'to'> & Partial<MqttOptions>) {
  const events: string[] = []
  const connection = connectMqtt(
    { clientId: 'gw', subscribe: ['hint'], reconnect, ...options },
    {
      onConnect: () => events.push('connected'),
      onDisconnect: () => events.push('disconnected'),
      onRefused: ({ message }) => events.push(message),
      onMessage: (topic, payload) => events.push(`${topic}: ${Buffer.from(payload).toString()}`),
      onWithout: topics => events.push(`without ${topics.join()}`),
    },
  )
  open.push(connection)
  return {
    connection,
    events,
    /** Waits for the given number of events, which must be these; no longer, so that a failure shows at once. */
    say: async (...said: string[]) => {
      await vi.waitFor(() => expect(events.length).toBeGreaterThanOrEqual(said.length), patient)
      expect(events).toEqual(said)
    },
  }
}

const toHere = async () => `mqtt://127.0.0.1:${await listen(createServer(serve))}`

const sent = (topic: string, payload: string, retain = false) =>
  new Promise<void>(resolve => {
    broker.publish({ cmd: 'publish', topic, payload, qos: 0, dup: false, retain }, () => resolve())
  })

it('P2: receives new messages, and no retained ones', async () => {
  await sent('hint', 'of yesterday', true)
  const { say } = connect({ to: await toHere() })
  await say('connected')
  await sent('hint', 'of now')
  await say('connected', 'hint: of now')
})

it('P2: sends nothing before it is connected or after it is closed, and closes without an error', async () => {
  const received: string[] = []
  broker.on('publish', ({ retain, topic }) => received.push(retain ? `${topic}, retained` : topic))
  const { connection, say } = connect({ to: await toHere() })
  expect(connection.publish('beat', 'too early')).toBe(false)
  await say('connected')
  expect(connection.publish('beat', 'in time')).toBe(true)
  await connection.close({ topic: 'goodbye', payload: 'soon' })
  expect(connection.publish('beat', 'too late')).toBe(false)
  await connection.close({ topic: 'goodbye', payload: 'again' })
  expect(received.filter(topic => !topic.startsWith('$SYS'))).toEqual(['beat', 'goodbye'])
})

it('logs in with its name and password, and sets a new will with each connection', async () => {
  const shown: string[] = []
  const wills: string[] = []
  broker.authenticate = (client, username, password, done) => {
    shown.push(`${client.id} ${username} ${password}`)
    done(null, true)
  }
  broker.on('publish', ({ payload, topic }) => topic === 'gone' && wills.push(payload.toString()))
  let count = 0
  const will = () => ({ topic: 'gone', payload: `${count++}` })
  const { connection, say } = connect({ to: await toHere(), username: 'gw_1', password: 'secret', will })
  expect(connection.isConnected()).toBe(false)
  await say('connected')
  expect(connection.isConnected()).toBe(true)
  for (const socket of sockets) socket.destroy()
  await say('connected', 'disconnected', 'connected')
  for (const socket of sockets) socket.destroy()
  await vi.waitFor(() => expect(wills).toEqual(['0', '1']), patient)
  expect(shown.slice(0, 2)).toEqual(['gw gw_1 secret', 'gw gw_1 secret'])
})

it('waits for the answer to its last words until its patience ends or the connection is lost', async () => {
  broker.authorizePublish = () => {}
  const to = await toHere()
  const words = { topic: 'goodbye', payload: 'soon' }
  const impatient = connect({ to })
  await impatient.say('connected')
  await impatient.connection.close(words, Promise.resolve())
  const alone = connect({ to })
  await alone.say('connected')
  const closed = alone.connection.close(words)
  for (const socket of sockets) socket.destroy()
  await closed
})

it('P2: does not resend unacknowledged messages on its next connection', async () => {
  const received: string[] = []
  // Only the first message is not acknowledged.
  broker.authorizePublish = (_client, { topic }, done) => {
    if (received.push(topic) > 1) done(null)
  }
  const { connection, say } = connect({ to: await toHere() })
  await say('connected')
  connection.publish('report', 'once')
  await vi.waitFor(() => expect(received).toEqual(['report']), patient)
  for (const socket of sockets) socket.destroy()
  await say('connected', 'disconnected', 'connected')
  connection.publish('beat', 'later')
  await vi.waitFor(() => expect(received).toContain('beat'), patient)
  expect(received).toEqual(['report', 'beat'])
})

it('reports a failure once, and again when it changes', async () => {
  const failures = [
    { code: 'ECONNRESET', message: 'the network is gone' },
    { code: 'ECONNRESET', message: 'the network is gone' },
    // Node's error for a name with two addresses has no text of its own.
    { code: 'ECONNREFUSED', message: '' },
  ]
  const { say } = connect({
    to() {
      const broken = new Duplex({ read() {}, write: (_bytes, _encoding, done) => done() })
      const { code, message } = failures.shift() ?? { code: 'EPIPE', message: 'at last' }
      process.nextTick(() => broken.destroy(Object.assign(new Error(message), { code })))
      return broken
    },
  })
  await say('the network is gone', 'ECONNREFUSED', 'at last')
})

it('waits as long as it is told before each try, and reports a success', async () => {
  const asked: string[] = []
  const told = { nextMs: () => asked.push('wait'), reset: () => void asked.push('worked') }
  let logins = 0
  broker.authenticate = (_client, _username, _password, done) => {
    const refused = Object.assign(new Error('not now'), { returnCode: 4 as const })
    if (++logins === 3) done(refused, false)
    else done(null, true)
  }
  const { say } = connect({ to: await toHere(), reconnect: told })
  await say('connected')
  for (const socket of sockets) socket.destroy()
  await say('connected', 'disconnected', 'connected')
  for (const socket of sockets) socket.destroy()
  const refused = 'Connection refused: Bad username or password'
  await say('connected', 'disconnected', 'connected', 'disconnected', refused, 'connected')
  expect(asked).toEqual(['worked', 'wait', 'worked', 'wait', 'wait', 'worked'])
})

it('takes its name and password from the URL, percent-encoded', async () => {
  const shown: string[] = []
  broker.authenticate = (_client, username, password, done) => {
    shown.push(`${username} ${password}`)
    done(null, true)
  }
  const url = (await toHere()).replace('//', '//me%40example.com:p%2Fss%25@')
  const { say } = connect({ to: `${url}/?username=another` })
  await say('connected')
  expect(shown).toEqual(['me@example.com p/ss%'])
})

it('retries after the broker has refused its login', async () => {
  let logins = 0
  broker.authenticate = (_client, _username, _password, done) => {
    const refused = Object.assign(new Error('not now'), { returnCode: 4 as const })
    if (++logins > 2) done(null, true)
    else done(refused, false)
  }
  const { say } = connect({ to: await toHere(), username: 'gw_1', password: 'secret' })
  await say('Connection refused: Bad username or password', 'connected')
  expect(logins).toBe(3)
})

it('reports topics that it cannot subscribe to', async () => {
  const { connection, say } = connect({ to: await toHere(), subscribe: ['#/hint'] })
  await say('cannot subscribe: Invalid topic #/hint')
  await connection.close()
  broker.authorizeSubscribe = (_client, _subscription, done) => done(null, null)
  const refused = connect({ to: await toHere() })
  await refused.say('cannot subscribe: Subscribe error: Unspecified error')
  expect(refused.connection.isConnected()).toBe(false)
})

it('continues without the extra topics that the broker refuses', async () => {
  broker.authorizeSubscribe = (_client, subscription, done) =>
    done(null, subscription.topic === 'task' ? null : subscription)
  const { connection, say } = connect({ to: await toHere(), subscribe: ['hint'], extra: ['task'] })
  await say('connected', 'without task')
  expect(connection.isConnected()).toBe(true)
})

it('connects over TLS to a broker with a trusted authority, and to no other', async () => {
  const port = await listen(createTlsServer(selfSigned, serve))
  const known = connect({ to: `mqtts://localhost:${port}`, ca: selfSigned.cert })
  await known.say('connected')
  expect(known.connection.publish('beat', 'hidden')).toBe(true)
  const unknown = connect({ to: `mqtts://localhost:${port}` })
  await vi.waitFor(() => expect(unknown.events.join()).toMatch(/^self-signed certificate/), patient)
  const elsewhere = connect({ to: `mqtts://127.0.0.1:${port}`, ca: selfSigned.cert })
  await vi.waitFor(() => expect(elsewhere.events.join()).toMatch(/altnames|IP/), patient)
})

it('reads the retained message of a topic where it may, and continues where it may not', async () => {
  const message = { cmd: 'publish', qos: 0, dup: false, retain: true } as const
  for (const topic of ['version', 'hint'])
    await new Promise(resolve => broker.publish({ ...message, topic, payload: topic }, resolve))
  const port = await listen(createServer(serve))
  const kept: string[] = []
  const look = (topic: string) => {
    const events: string[] = []
    const handlers = {
      onConnect: () => events.push('connected'),
      onDisconnect: () => events.push('disconnected'),
      onRefused: ({ message: why }: { message: string }) => events.push(why),
      onMessage: (of: string) => events.push(of),
      onKept: (payload: Uint8Array) => kept.push(Buffer.from(payload).toString()),
    }
    const to = `mqtt://127.0.0.1:${port}`
    open.push(connectMqtt({ to, clientId: topic, subscribe: ['hint'], reconnect, kept: topic }, handlers))
    return events
  }
  const allowed = look('version')
  await vi.waitFor(() => expect(kept).toEqual(['version']), patient)
  broker.authorizeSubscribe = (_client, subscription, done) =>
    done(null, subscription.topic === 'hint' ? subscription : null)
  const denied = look('other')
  await vi.waitFor(() => expect(denied).toContain('connected'), patient)
  await new Promise(resolve =>
    broker.publish({ ...message, retain: false, topic: 'hint', payload: '' }, resolve),
  )
  await vi.waitFor(
    () =>
      expect([allowed, denied]).toEqual([
        ['connected', 'hint'],
        ['connected', 'hint'],
      ]),
    patient,
  )
  expect(kept).toEqual(['version'])
})
