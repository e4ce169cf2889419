// The simulated broker of the seeded house: literal topics and `+`, a latency from the seed, nothing retained.

import type { MqttConnection, MqttHandlers } from '@callgate/contract/mqttConnection'
import type { FakeWorld } from '@callgate/world/fake'

interface Will {
  readonly topic: string
  readonly payload: string
}

interface Client {
  readonly subscribe: readonly string[]
  readonly handlers: MqttHandlers
  readonly will: Will | undefined
  isConnected: boolean
}

export interface SimulatedWire {
  /** Connects a client; it is told so after a latency. */
  connect(
    options: { readonly subscribe: readonly string[]; readonly will?: () => Will },
    handlers: MqttHandlers,
  ): MqttConnection
  /** Every message that was delivered: `atMs topic payload`. */
  readonly delivered: readonly string[]
}

function matches(filter: string, topic: string): boolean {
  const levels = topic.split('/')
  const wanted = filter.split('/')
  return wanted.length === levels.length && wanted.every((level, at) => level === '+' || level === levels[at])
}

/** One broker; messages between a pair of clients keep their order, as TCP does. */
export function simulatedWire(
  world: FakeWorld,
  latencyMs: readonly [number, number] = [20, 120],
): SimulatedWire {
  const clients = new Set<Client>()
  const delivered: string[] = []
  let lastAtMs = 0

  function later(then: () => void) {
    lastAtMs = Math.max(lastAtMs, world.monotonicMs() + world.randomInt(...latencyMs))
    world.after(lastAtMs - world.monotonicMs(), then)
  }

  function send(topic: string, payload: string) {
    later(() => {
      for (const client of clients) {
        if (!client.isConnected || !client.subscribe.some(filter => matches(filter, topic))) continue
        delivered.push(`${world.monotonicMs()} ${topic} ${payload}`)
        client.handlers.onMessage(topic, Buffer.from(payload))
      }
    })
  }

  return {
    delivered,
    connect(options, handlers) {
      const client: Client = {
        subscribe: options.subscribe,
        handlers,
        will: options.will?.(),
        isConnected: false,
      }
      clients.add(client)
      later(() => {
        client.isConnected = true
        handlers.onConnect()
      })
      return {
        isConnected: () => client.isConnected,
        publish(topic, payload) {
          if (!client.isConnected) return false
          send(topic, payload)
          return true
        },
        async close(lastWords) {
          if (lastWords && client.isConnected) send(lastWords.topic, lastWords.payload)
          client.isConnected = false
          clients.delete(client)
        },
      }
    },
  }
}
