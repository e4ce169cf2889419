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

/** What the wire does to a message, either way; each a chance from 0 to 1. */
export interface WireFaults {
  readonly lose: number
  readonly repeat: number
  /** The message comes up to 15 s late, past whatever is sent meanwhile. */
  readonly delay: number
}

export interface SimulatedWire {
  /** How often each fault was met. */
  readonly met: Readonly<Record<keyof WireFaults, number>>
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

/** One broker; without faults, messages between a pair of clients keep their order, as TCP does. */
export function simulatedWire(
  world: FakeWorld,
  latencyMs: readonly [number, number] = [20, 120],
  faults: WireFaults = { lose: 0, repeat: 0, delay: 0 },
): SimulatedWire {
  const clients = new Set<Client>()
  const delivered: string[] = []
  const met = { lose: 0, repeat: 0, delay: 0 }
  let lastAtMs = 0

  /** Draws nothing for a fault that never comes, so that a faultless run stays the run it was. */
  function meets(fault: keyof WireFaults): boolean {
    if (faults[fault] === 0 || world.random() >= faults[fault]) return false
    met[fault] += 1
    return true
  }

  function later(then: () => void) {
    lastAtMs = Math.max(lastAtMs, world.monotonicMs() + world.randomInt(...latencyMs))
    world.after(lastAtMs - world.monotonicMs(), then)
  }

  function send(topic: string, payload: string) {
    if (meets('lose')) return
    const deliver = () => {
      for (const client of clients) {
        if (!client.isConnected || !client.subscribe.some(filter => matches(filter, topic))) continue
        delivered.push(`${world.monotonicMs()} ${topic} ${payload}`)
        client.handlers.onMessage(topic, Buffer.from(payload))
      }
    }
    if (meets('delay')) world.after(world.randomInt(200, 15_000), deliver)
    else later(deliver)
    if (meets('repeat')) world.after(world.randomInt(0, 15_000), deliver)
  }

  return {
    met,
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
