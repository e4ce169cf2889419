// The simulated MQTT broker of the simulation: literal topics and `+`, no retained messages.

import type { MqttConnection, MqttHandlers } from '@callgate/mqtt/mqttConnection'
import type { FakeWorld } from '@callgate/world/fake'
import { createDelivery, type Delivery, type Message, type Receiver, type WireFaults } from './delivery.ts'
import type { Life } from './life.ts'

interface Client extends Receiver {
  readonly subscribe: readonly string[]
  /** Makes the will of each connection. */
  readonly newWill: (() => Message) | undefined
  will: Message | undefined
  isConnected: boolean
}

interface PublishedMessage extends Message {
  readonly atMs: number
}

export interface SimulatedBroker {
  /** Connects a client after a latency. When `life` ends, the broker notices it within 30 s. */
  connect(
    options: {
      readonly subscribe: readonly string[]
      readonly extra?: readonly string[]
      readonly will?: () => Message
    },
    handlers: MqttHandlers,
    life?: Life,
  ): MqttConnection
  /** Sends a message in the name of no connected client: a recorded or a forged one. */
  inject(topic: string, payload: string): void
  setFaults(faults: WireFaults): void
  /** Ends all faults. Messages that were held back come within the next seconds, in any order. */
  heal(): void
  /** Every client loses its connection and connects again within seconds. Messages on their way are lost. */
  restart(): void
  /** From now on the clients of this name cannot reach the broker, or can again. */
  cutOff(name: string, isCut: boolean): void
  /** Every message as its sender sent it. */
  readonly published: readonly PublishedMessage[]
}

function matches(filter: string, topic: string): boolean {
  const levels = topic.split('/')
  const wanted = filter.split('/')
  return wanted.length === levels.length && wanted.every((level, at) => level === '+' || level === levels[at])
}

/** The broker notices a dead client by its silence, or at once by its closed socket. */
const noticedWithinMs = 30_000
const backWithinMs = 3_000

/** The clients of one broker, connected or not. */
function createClients(world: FakeWorld) {
  const clients = new Set<Client>()
  const cutNames = new Set<string>()

  /** Runs in the client's process, if the client has one. */
  function tell({ life }: Client, event: () => void) {
    if (life) life.enter(event)
    else event()
  }

  function join(client: Client) {
    if (!clients.has(client)) return
    if (client.life && cutNames.has(client.life.name)) {
      world.after(backWithinMs, () => join(client))
      return
    }
    client.will = client.newWill?.()
    client.isConnected = true
    tell(client, client.handlers.onConnect)
  }

  return {
    join,
    add: (client: Client) => void clients.add(client),
    remove: (client: Client) => void clients.delete(client),
    cutNames,
    connected: () => [...clients].filter(({ isConnected }) => isConnected),
    /** The client's connection breaks; it connects again within seconds. */
    disconnect(client: Client) {
      client.isConnected = false
      tell(client, client.handlers.onDisconnect)
      world.after(world.randomInt(500, backWithinMs), () => join(client))
    },
  }
}
type Clients = ReturnType<typeof createClients>

function connectionOf(
  world: FakeWorld,
  client: Client,
  clients: Clients,
  delivery: Delivery,
  published: PublishedMessage[],
): MqttConnection {
  return {
    isConnected: () => client.isConnected,
    publish(topic, payload) {
      if (!client.isConnected || (client.life && !client.life.step())) return false
      published.push({ atMs: world.monotonicMs(), topic, payload })
      delivery.send(topic, payload)
      return true
    },
    async close(lastWords) {
      if (lastWords && client.isConnected) delivery.send(lastWords.topic, lastWords.payload)
      client.isConnected = false
      clients.remove(client)
    },
  }
}

/** One broker. Without faults, messages between two clients keep their order, as over TCP. */
export function simulatedBroker(
  world: FakeWorld,
  latencyMs: readonly [number, number] = [20, 120],
  faults: Partial<WireFaults> = {},
  forge: (message: Message) => Message | undefined = () => undefined,
): SimulatedBroker {
  const clients = createClients(world)
  const published: PublishedMessage[] = []
  const receiversOf = (topic: string) =>
    clients.connected().filter(({ subscribe }) => subscribe.some(filter => matches(filter, topic)))
  const delivery = createDelivery(world, latencyMs, faults, receiversOf, forge)

  /** The broker notices that the client is dead, and sends its will. */
  function dropDead(client: Client) {
    const { isConnected, will } = client
    client.isConnected = false
    if (isConnected && will) delivery.send(will.topic, will.payload)
  }

  return {
    published,
    connect({ extra = [], subscribe: needed, will: newWill }, handlers, life) {
      const subscribe = [...needed, ...extra]
      const state = { will: undefined, isConnected: false, latest: new Map() }
      const client: Client = { subscribe, handlers, life, newWill, ...state }
      clients.add(client)
      delivery.later(() => clients.join(client))
      life?.onDeath(() => {
        clients.remove(client)
        world.after(world.randomInt(0, noticedWithinMs), () => dropDead(client))
      })
      return connectionOf(world, client, clients, delivery, published)
    },
    inject: delivery.send,
    setFaults: delivery.setFaults,
    heal: delivery.heal,
    restart() {
      delivery.loseInFlight()
      const connected = clients.connected()
      world.log.info('restarts', { who: 'broker', met: connected.length > 0 ? ['broker restart'] : [] })
      for (const client of connected) clients.disconnect(client)
    },
    cutOff(name, isCut) {
      if (!isCut) {
        world.log.info('has a way to the broker again', { who: name })
        return void clients.cutNames.delete(name)
      }
      clients.cutNames.add(name)
      const [kind] = name.split(' ')
      const lost = clients.connected().filter(({ life }) => life?.name === name)
      world.log.info('is cut off', { who: name, met: lost.length > 0 ? [`${kind} cut off`] : [] })
      for (const client of lost) {
        const { will } = client
        clients.disconnect(client)
        if (will)
          world.after(world.randomInt(0, noticedWithinMs), () => delivery.send(will.topic, will.payload))
      }
    },
  }
}
