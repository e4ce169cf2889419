// The embedded broker: aedes with every door shut but the literal topics of each gateway.

import type { EventEmitter } from 'node:events'
import type { Server, Socket } from 'node:net'
import { type Duplex, duplexPair } from 'node:stream'
import { maxMessageBytes } from '@callgate/contract/wire/messages'
import { downKinds, everyGateway, readUpTopic, topicOf, upKinds } from '@callgate/contract/wire/topics'
import type { Timer, World } from '@callgate/world/world'
import { Aedes, type AedesOptions, type Client } from 'aedes'
import { packetGuard } from '../core/packetGuard.ts'
import type { Database } from '../database/database.ts'
import type { Certificate } from '../network/certificate.ts'
import { type ConnectionRules, createConnections } from '../network/connections.ts'
import { createBrokerDoor } from './brokerDoor.ts'
import { admittedGateways, hasMqttPassword } from './gateways.ts'

export interface Broker {
  /** Where it listens. */
  readonly port: number
  /** A stream to the broker inside this process, for the cloud itself (clientId `cloud`, no password). */
  cloudStream(): Duplex
  close(): Promise<void>
}

export type CreatedBroker =
  | { readonly ok: true; readonly broker: Broker }
  | { readonly ok: false; readonly code: 'port_in_use' | 'port_refused'; readonly message: string }

const cloudId = 'cloud'
const limits = {
  /** Bytes of one connection before its CONNACK; three sockets without this took the broker to 416 MB. */
  beforeAdmission: 4 * 1024,
  packet: 64 * 1024,
  connectTimeoutMs: 5_000,
  keepaliveS: 120,
} as const
const revocationCheckMs = 2_000
const refusalLogEveryMs = 10_000

const notAllowed = new Error('not allowed')
// 4: bad user name or password (MQTT 3.1.1, table 3.1).
const badPassword = () => Object.assign(new Error('bad user name or password'), { returnCode: 4 })

/** The hooks that decide who may connect, publish and subscribe. */
function doors(world: World, database: Database, trusted: WeakSet<Duplex>): AedesOptions {
  let loggedMs = Number.NEGATIVE_INFINITY
  let refusals = 0

  function logRefusal(clientId: string, why: string) {
    refusals++
    if (world.monotonicMs() - loggedMs < refusalLogEveryMs) return
    world.log.warn('the broker refused a client', { clientId: clientId.slice(0, 64), why, refusals })
    loggedMs = world.monotonicMs()
    refusals = 0
  }

  const isCloud = (client: Client) => trusted.has(client.conn)
  const maySend = (client: Client, topic: string) => {
    if (!isCloud(client)) return upKinds.some(kind => topic === topicOf(client.id, kind))
    const [, , gatewayId = ''] = topic.split('/')
    return downKinds.some(kind => topic === topicOf(gatewayId, kind))
  }
  const mayReceive = (client: Client, topic: string) =>
    isCloud(client)
      ? readUpTopic(topic) !== undefined
      : downKinds.some(kind => topic === topicOf(client.id, kind))
  const maySubscribe = (client: Client, topic: string) =>
    isCloud(client) ? upKinds.some(kind => topic === everyGateway(kind)) : mayReceive(client, topic)

  return {
    connectTimeout: limits.connectTimeoutMs,
    keepaliveLimit: limits.keepaliveS,
    maxTopicLevels: 4,
    queueLimit: 16,
    preConnect(_client, { clean, clientId, protocolVersion, will }, done) {
      const isOwnWill =
        !will ||
        (will.topic === topicOf(clientId, 'beat') && !will.retain && will.payload.length <= maxMessageBytes)
      const isFine = clean === true && protocolVersion === 4 && isOwnWill
      if (!isFine) logRefusal(clientId, 'only clean MQTT 3.1.1 sessions, with a will on the own beat')
      done(isFine ? null : notAllowed, isFine)
    },
    authenticate(client, username, password, done) {
      if (isCloud(client)) return done(null, client.id === cloudId)
      const refuse = (why: string) => {
        logRefusal(client.id, why)
        done(badPassword(), false)
      }
      if (username !== client.id || !password)
        return refuse('the user name is not the client id, or no password')
      hasMqttPassword(database, client.id, password, world.nowMs()).then(
        isRight => (isRight ? done(null, true) : refuse('unknown, revoked, or another password')),
        (error: unknown) => refuse(String(error)),
      )
    },
    authorizePublish(client, { payload, qos, retain, topic }, done) {
      const isAllowed =
        client !== null && maySend(client, topic) && !retain && qos < 2 && payload.length <= maxMessageBytes
      if (!isAllowed) logRefusal(client?.id ?? '', 'a message that it may not send')
      done(isAllowed ? null : notAllowed)
    },
    authorizeSubscribe(client, subscription, done) {
      const isAllowed = maySubscribe(client, subscription.topic) && subscription.qos < 2
      if (!isAllowed) logRefusal(client.id, 'a topic that it may not read')
      done(null, isAllowed ? subscription : null)
    },
    authorizeForward: (client, packet) =>
      mayReceive(client, packet.topic) && !packet.retain ? packet : null,
  }
}

/** Bounds what comes on a stream until its client is known. Answers with what to call then. */
function guard(stream: Socket): () => void {
  const packets = packetGuard(limits)
  const read = stream.read.bind(stream)
  // All that the broker ever sees of a stream passes through `read`, so this needs no stream of its own between.
  stream.read = (size?: number) => {
    const bytes: unknown = read(size)
    if (!(bytes instanceof Uint8Array) || packets.accept(bytes)) return bytes
    stream.destroy()
    return null
  }
  return packets.admit
}

function refusedPort(host: string, port: number, error: Error): CreatedBroker {
  const isTaken = 'code' in error && error.code === 'EADDRINUSE'
  const message = isTaken
    ? `Port ${port} for the MQTT broker is taken by another program. Stop that program, or set MQTT_PORT to a free port.`
    : `The MQTT broker cannot listen on ${host}, port ${port}: ${error.message}. Set MQTT_HOST to an address of this machine and MQTT_PORT to a port that it may use.`
  return { ok: false, code: isTaken ? 'port_in_use' : 'port_refused', message }
}

/** Cuts the connections of gateways that were revoked, also by another process, within 5 s. */
function watchRevocations(world: World, database: Database, connected: ReadonlyMap<string, Client>) {
  let timer: Timer | undefined

  async function check() {
    const admitted = await admittedGateways(database, [...connected.keys()], world.nowMs())
    for (const [gatewayId, client] of connected) {
      if (admitted.has(gatewayId)) continue
      world.log.warn('a gateway that was revoked or cut off was disconnected', { gatewayId })
      client.close()
    }
  }

  function schedule() {
    timer = world.after(revocationCheckMs, () => {
      timer = undefined
      if (connected.size === 0) return
      check()
        .catch((error: unknown) => world.log.error('revocations could not be read', { why: String(error) }))
        .finally(watch)
    })
  }

  /** Goes on as long as somebody is connected. */
  function watch() {
    if (!timer && connected.size > 0) schedule()
  }

  return { watch, stop: () => timer?.cancel() }
}

/** Starts the broker on `port` (0: any free one). A taken port is a value that says what to do. */
export async function createBroker(parts: {
  readonly world: World
  readonly database: Database
  readonly port: number
  /** An address of this machine. */
  readonly host: string
  /** With it the broker speaks TLS only. */
  readonly certificate?: Certificate | undefined
  readonly rules?: ConnectionRules
}): Promise<CreatedBroker> {
  const { certificate, database, host, port, rules, world } = parts
  const trusted = new WeakSet<Duplex>()
  const connected = new Map<string, Client>()
  const admissions = new WeakMap<object, () => void>()
  const aedes = await Aedes.createBroker(doors(world, database, trusted))
  const revocations = watchRevocations(world, database, connected)
  aedes.on('client', client => {
    admissions.get(client.conn)?.()
    if (trusted.has(client.conn)) return
    connected.set(client.id, client)
    revocations.watch()
  })
  aedes.on('clientDisconnect', client => {
    if (connected.get(client.id) === client) connected.delete(client.id)
  })
  // Its types do not know this event, which would end the process if nobody listened.
  const events: EventEmitter = aedes
  events.on('error', (error: unknown) => world.log.error('the broker failed', { why: String(error) }))

  const sockets = new Set<Socket>()
  const connections = createConnections<Socket>(world, 'broker', rules)
  const server = createBrokerDoor({
    world,
    certificate,
    accept(socket) {
      if (!connections.add(socket)) return false
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      return true
    },
    serve(stream, socket) {
      const admit = guard(stream)
      admissions.set(stream, () => {
        admit()
        connections.become(socket, 'needed')
      })
      aedes.handle(stream)
    },
  })
  const stopAedes = () => new Promise<void>(resolve => aedes.close(resolve))
  const failure = await listen(server, port, host)
  if (failure) {
    await stopAedes()
    return refusedPort(host, port, failure)
  }
  server.on('error', error => world.log.error('the broker cannot take a connection', { why: error.message }))
  const address = server.address()
  return {
    ok: true,
    broker: {
      port: typeof address === 'object' && address ? address.port : port,
      cloudStream() {
        const [ours, theirs] = duplexPair()
        ours.once('close', () => theirs.destroy())
        theirs.once('close', () => ours.destroy())
        trusted.add(theirs)
        aedes.handle(theirs)
        return ours
      },
      async close() {
        revocations.stop()
        const closed = new Promise<void>(resolve => server.close(() => resolve()))
        await stopAedes()
        for (const socket of sockets) socket.destroy()
        await closed
      },
    },
  }
}

/** Listens; the error when that fails. */
function listen(server: Server, port: number, host: string): Promise<Error | undefined> {
  return new Promise(resolve => {
    server.once('error', resolve)
    server.listen({ port, host }, () => {
      server.off('error', resolve)
      resolve(undefined)
    })
  })
}
