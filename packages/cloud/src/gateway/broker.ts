// The embedded broker: aedes, which lets each gateway use only its own topics.

import type { EventEmitter } from 'node:events'
import type { Server, Socket } from 'node:net'
import type { MqttConnection, MqttHandlers } from '@callgate/mqtt/mqttConnection'
import type { Timer, World } from '@callgate/world/world'
import { Aedes, type AedesPublishPacket, type Client } from 'aedes'
import type { Database } from '../database/database.ts'
import type { Certificate } from '../network/certificate.ts'
import { type ConnectionRules, type Connections, createConnections } from '../network/connections.ts'
import { cloudAccount } from './brokerAccounts.ts'
import { createBrokerEndpoint, readWhole } from './brokerEndpoint.ts'
import { brokerLimits, brokerRules } from './brokerRules.ts'
import { packetGuard } from './core/packetGuard.ts'
import { createFarewells, type Farewells } from './farewells.ts'
import { changedPasswords, shutOutGateways } from './gateways.ts'

export interface Broker {
  /** The port on which it listens. */
  readonly port: number
  /** The connection of the cloud itself, which reads the messages of all gateways. It needs no network and no login. */
  connectCloud(handlers: MqttHandlers): MqttConnection
  close(): Promise<void>
}

export type CreatedBroker =
  | { readonly ok: true; readonly broker: Broker }
  | { readonly ok: false; readonly code: 'port_in_use' | 'port_refused'; readonly message: string }

const loginCheckMs = 2_000
/**
 * Connections that wait for their accept. A fleet reconnects at once, and a connection that the system drops here tries again
 * only after seconds.
 */
const mostUnaccepted = 4_096

/** Limits the bytes of a stream until its client is known. Returns the function to call then. */
function guard(stream: Socket): () => void {
  const packets = packetGuard(brokerLimits)
  const read = stream.read.bind(stream)
  // The broker reads a stream only through `read`, so no stream of our own is needed in between.
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

/** The connected gateways, and the hashes of the passwords of their logins. */
interface Clients {
  readonly connected: ReadonlyMap<string, Client>
  readonly passwords: Pick<WeakMap<Client, string>, 'get'>
}

/** Cuts the connections of gateways that were revoked or given a new password, also by another process, within 5 s. */
function watchLogins(world: World, database: Database, { connected, passwords }: Clients) {
  let timer: Timer | undefined

  async function check() {
    for (const gatewayId of await shutOutGateways(database, world.nowMs())) {
      const client = connected.get(gatewayId)
      if (!client) continue
      world.log.warn('a gateway that was revoked or cut off was disconnected', { gatewayId })
      client.close()
    }
    for (const { id: gatewayId, passwordHash } of await changedPasswords(database)) {
      const client = connected.get(gatewayId)
      if (!client || passwords.get(client) === passwordHash) continue
      world.log.warn('a client with a former password of a gateway was disconnected', { gatewayId })
      client.close()
    }
  }

  function schedule() {
    timer = world.after(loginCheckMs, () => {
      timer = undefined
      if (connected.size === 0) return
      check()
        .catch((error: unknown) =>
          world.log.error('the logins of gateways could not be read', { why: String(error) }),
        )
        .finally(watch)
    })
  }

  /** Continues as long as a client is connected. */
  function watch() {
    if (!timer && connected.size > 0) schedule()
  }

  return { watch, stop: () => timer?.cancel() }
}

interface BrokerParts {
  readonly world: World
  readonly database: Database
  readonly port: number
  /** An address of this machine. */
  readonly host: string
  /** With a certificate the broker speaks only TLS. */
  readonly certificate?: Certificate | undefined
  readonly rules?: ConnectionRules
}

/**
 * A connection without a network: its messages reach the gateways at once, and theirs reach it at once. It has the limits of the
 * other connections: QoS 1, nothing retained, nothing kept for an absent gateway.
 */
function connectInside(aedes: Aedes, handlers: MqttHandlers): MqttConnection {
  let state: 'opening' | 'open' | 'closed' = 'opening'
  const isOpen = () => state === 'open'
  const receive = (packet: AedesPublishPacket, done: () => void) => {
    // Not tested: a retained message; the rules refuse it.
    if (isOpen() && !packet.retain) handlers.onMessage(packet.topic, Buffer.from(packet.payload))
    done()
  }
  // The broker calls this in a later turn of the event loop, when the caller has the connection.
  const subscribed = () => {
    if (state !== 'opening') return
    state = 'open'
    handlers.onConnect()
  }
  for (const topic of cloudAccount.subscribes) aedes.subscribe(topic, receive, subscribed)
  const publish: MqttConnection['publish'] = (topic, payload) => {
    const message = { cmd: 'publish', topic, payload, qos: 1, retain: false, dup: false } as const
    if (isOpen()) aedes.publish(message, () => {})
    return isOpen()
  }
  return {
    publish,
    isConnected: isOpen,
    async close(lastWords) {
      if (lastWords) publish(lastWords.topic, lastWords.payload)
      state = 'closed'
      for (const topic of cloudAccount.subscribes) aedes.unsubscribe(topic, receive, () => {})
    },
  }
}

class EmbeddedBroker implements Broker {
  readonly #parts: BrokerParts
  readonly #aedes: Aedes
  readonly #farewells: Farewells
  readonly #connected = new Map<string, Client>()
  /** The function to call when the client of a stream is known. */
  readonly #admissions = new WeakMap<object, () => void>()
  readonly #sockets = new Set<Socket>()
  readonly #connections: Connections<Socket>
  readonly #logins: ReturnType<typeof watchLogins>
  readonly #server: Server

  constructor(parts: BrokerParts, aedes: Aedes, farewells: Farewells, passwords: Clients['passwords']) {
    const { certificate, database, rules, world } = parts
    this.#parts = parts
    this.#aedes = aedes
    this.#farewells = farewells
    this.#connections = createConnections<Socket>(world, 'broker', rules)
    this.#logins = watchLogins(world, database, { connected: this.#connected, passwords })
    this.#server = createBrokerEndpoint({
      world,
      certificate,
      accept: socket => this.#accept(socket),
      serve: (stream, socket) => this.#serve(stream, socket),
    })
    this.#followClients()
  }

  get port(): number {
    const address = this.#server.address()
    return typeof address === 'object' && address ? address.port : this.#parts.port
  }

  /** Starts to listen; returns the error when that fails. */
  async listen(): Promise<Error | undefined> {
    const { host, port, world } = this.#parts
    const failure = await listen(this.#server, port, host)
    if (failure) await this.#closeAedes()
    else
      this.#server.on('error', error =>
        world.log.error('the broker cannot take a connection', { why: error.message }),
      )
    return failure
  }

  readonly connectCloud = (handlers: MqttHandlers): MqttConnection => connectInside(this.#aedes, handlers)

  async close(): Promise<void> {
    this.#logins.stop()
    this.#farewells.stop()
    const closed = new Promise<void>(resolve => this.#server.close(() => resolve()))
    await this.#closeAedes()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  #followClients(): void {
    this.#aedes.on('client', client => {
      this.#admissions.get(client.conn)?.()
      if (this.#farewells.isOn(client)) return
      this.#connected.set(client.id, client)
      this.#logins.watch()
    })
    this.#aedes.on('clientDisconnect', client => {
      this.#farewells.end(client)
      if (this.#connected.get(client.id) === client) this.#connected.delete(client.id)
    })
    // The types of aedes do not have this event. Without a listener it would end the process.
    const events: EventEmitter = this.#aedes
    events.on('error', (error: unknown) =>
      this.#parts.world.log.error('the broker failed', { why: String(error) }),
    )
  }

  #accept(socket: Socket): boolean {
    if (!this.#connections.add(socket)) return false
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    return true
  }

  #serve(stream: Socket, socket: Socket): void {
    const admit = guard(stream)
    this.#admissions.set(stream, () => {
      admit()
      this.#connections.become(socket, 'needed')
    })
    this.#aedes.handle(readWhole(stream))
  }

  #closeAedes(): Promise<void> {
    return new Promise(resolve => this.#aedes.close(resolve))
  }
}

/** Starts the broker on `port` (0: any free one). Where the port is taken, the result says what to do. */
export async function createBroker(parts: BrokerParts): Promise<CreatedBroker> {
  const { database, host, port, world } = parts
  const passwords = new WeakMap<Client, string>()
  const rules = { world, database, farewells: createFarewells(world), passwords }
  const aedes = await Aedes.createBroker(brokerRules(rules))
  const broker = new EmbeddedBroker(parts, aedes, rules.farewells, passwords)
  const failure = await broker.listen()
  return failure ? refusedPort(host, port, failure) : { ok: true, broker }
}

/** Starts to listen; returns the error when that fails. */
function listen(server: Server, port: number, host: string): Promise<Error | undefined> {
  return new Promise(resolve => {
    server.once('error', resolve)
    server.listen({ port, host, backlog: mostUnaccepted }, () => {
      server.off('error', resolve)
      resolve(undefined)
    })
  })
}
