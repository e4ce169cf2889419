// The simulated broker of the seeded house: literal topics and `+`, a latency from the seed, nothing retained.

import type { MqttConnection, MqttHandlers } from '@callgate/mqtt/mqttConnection'
import type { FakeWorld } from '@callgate/world/fake'
import type { Timer } from '@callgate/world/world'
import type { Life } from './life.ts'

export interface Message {
  readonly topic: string
  readonly payload: string
}

type Fate = keyof WireFaults

/** A message on its way. */
interface Sent extends Message {
  /** Of those sent on this wire. */
  readonly number: number
  readonly atMs: number
  readonly fates: readonly Fate[]
}

interface Client {
  readonly subscribe: readonly string[]
  readonly handlers: MqttHandlers
  readonly life: Life | undefined
  will: Message | undefined
  isConnected: boolean
  /** The number of the latest message that it heard from or for each gateway. */
  readonly latest: Map<string, number>
}

/** What the wire does to a message, either way; each a chance from 0 to 1. */
export interface WireFaults {
  readonly lose: number
  readonly repeat: number
  /** The message comes up to 15 s late, past whatever is sent meanwhile. */
  readonly delay: number
  /** The message comes up to a second late, so that what is sent next may overtake it. */
  readonly reorder: number
  /** The message comes again up to two minutes later. */
  readonly replay: number
  /** The message comes with one character of its body, header or signature changed. */
  readonly alter: number
  /** Somebody who has no key of ours answers the message. */
  readonly forge: number
}

export const faultless: WireFaults = {
  lose: 0,
  repeat: 0,
  delay: 0,
  reorder: 0,
  replay: 0,
  alter: 0,
  forge: 0,
}

export interface SimulatedWire {
  /** Connects a client; it is told so after a latency. When `life` ends, the broker finds out by and by. */
  connect(
    options: { readonly subscribe: readonly string[]; readonly will?: () => Message },
    handlers: MqttHandlers,
    life?: Life,
  ): MqttConnection
  /** A message that is none of a client's now: it was recorded, or held back. */
  say(topic: string, payload: string): void
  /** From now on these are the faults. */
  setFaults(faults: WireFaults): void
  /** Nothing goes wrong from now on, and whatever was held back comes within the next seconds, in any order. */
  heal(): void
  /** Every client loses its connection, and what is on its way is lost; they come back within seconds. */
  restart(): void
  /** From now on the client of this name has no way to the broker, or has it again. */
  cutOff(name: string, isCut: boolean): void
  /** Every message as its sender sent it. */
  readonly published: readonly (Message & { readonly atMs: number })[]
}

function matches(filter: string, topic: string): boolean {
  const levels = topic.split('/')
  const wanted = filter.split('/')
  return wanted.length === levels.length && wanted.every((level, at) => level === '+' || level === levels[at])
}

/** The broker finds a dead client by its silence, or at once by its socket. */
const noticedWithinMs = 30_000
const backWithinMs = 3_000
const heldBackAtMostMs = 5_000

/** One broker; without faults, messages between a pair of clients keep their order, as TCP does. */
export function simulatedWire(
  world: FakeWorld,
  latencyMs: readonly [number, number] = [20, 120],
  given: Partial<WireFaults> = {},
  forge: (message: Message) => Message | undefined = () => undefined,
): SimulatedWire {
  const clients = new Set<Client>()
  const published: (Message & { atMs: number })[] = []
  const cut = new Set<string>()
  const held = new Map<() => void, Timer>()
  let faults = { ...faultless, ...given }
  let lastAtMs = 0
  let runs = 0
  let sends = 0

  /** Draws nothing for a fault that never comes, so that a faultless run stays the run it was. */
  const meets = (fault: Fate) => faults[fault] > 0 && world.random() < faults[fault]

  function later(then: () => void) {
    lastAtMs = Math.max(lastAtMs, world.monotonicMs() + world.randomInt(...latencyMs))
    world.after(lastAtMs - world.monotonicMs(), then)
  }

  function hold(then: () => void, delayMs: number) {
    const come = () => {
      held.delete(come)
      then()
    }
    held.set(come, world.after(delayMs, come))
  }

  function altered(payload: string): string {
    const at = world.randomInt(0, payload.length - 1)
    const other = payload[at] === '1' ? '2' : '1'
    return payload.slice(0, at) + other + payload.slice(at + 1)
  }

  /** What became of a message; it was met by those of its fates that made a difference. */
  function tell(what: string, { atMs: sentMs, payload, topic }: Sent, met: readonly Fate[] = []) {
    world.log.debug(what, { who: 'wire', met, sentMs, topic, payload })
  }

  const hearersOf = (topic: string) =>
    [...clients].filter(
      ({ isConnected, subscribe }) => isConnected && subscribe.some(filter => matches(filter, topic)),
    )

  function deliver(sent: Sent) {
    const { fates, number, payload, topic } = sent
    const hearers = hearersOf(topic)
    if (hearers.length === 0) tell('nobody hears', sent)
    for (const { handlers, latest, life } of hearers) {
      const hear = () => {
        const gateway = topic.slice(0, topic.lastIndexOf('/'))
        const latestNumber = latest.get(gateway) ?? 0
        latest.set(gateway, Math.max(number, latestNumber))
        const isOvertaken = number < latestNumber
        tell(
          'comes',
          sent,
          fates.filter(fate => fate !== 'reorder' || isOvertaken),
        )
        handlers.onMessage(topic, Buffer.from(payload))
      }
      if (life) life.enter(hear)
      else hear()
    }
  }

  function send(topic: string, payload: string) {
    sends += 1
    const own: Sent = { topic, payload, number: sends, atMs: world.monotonicMs(), fates: [] }
    const forged = faults.forge > 0 ? forge(own) : undefined
    if (forged && meets('forge')) world.after(0, () => deliver({ ...own, ...forged, fates: ['forge'] }))
    if (meets('lose')) return tell('is lost', own, hearersOf(topic).length > 0 ? ['lose'] : [])
    const sent: Sent = meets('alter') ? { ...own, payload: altered(payload), fates: ['alter'] } : own
    const ofRun = runs
    const come = (fate?: Fate) => () => deliver(fate ? { ...sent, fates: [...sent.fates, fate] } : sent)
    const onTime = (fate?: Fate) => () => {
      if (runs === ofRun) come(fate)()
      else tell('is lost in the restart', sent)
    }
    if (meets('delay')) hold(onTime('delay'), world.randomInt(200, 15_000))
    else if (meets('reorder')) hold(onTime('reorder'), world.randomInt(100, 1_000))
    else later(onTime())
    if (meets('repeat')) hold(onTime('repeat'), world.randomInt(0, 15_000))
    if (meets('replay')) hold(come('replay'), world.randomInt(1_000, 120_000))
  }

  function drop(client: Client) {
    const { isConnected, will } = client
    client.isConnected = false
    if (isConnected && will) send(will.topic, will.payload)
  }

  function join(client: Client, will: (() => Message) | undefined) {
    if (!clients.has(client)) return
    if (client.life && cut.has(client.life.name)) {
      world.after(backWithinMs, () => join(client, will))
      return
    }
    client.will = will?.()
    client.isConnected = true
    if (client.life) client.life.enter(client.handlers.onConnect)
    else client.handlers.onConnect()
  }

  const rejoin = new Map<Client, () => void>()

  function lose(client: Client) {
    client.isConnected = false
    if (client.life) client.life.enter(client.handlers.onDisconnect)
    else client.handlers.onDisconnect()
    world.after(world.randomInt(500, backWithinMs), () => rejoin.get(client)?.())
  }

  return {
    published,
    connect(options, handlers, life) {
      const client: Client = {
        subscribe: options.subscribe,
        handlers,
        life,
        will: undefined,
        isConnected: false,
        latest: new Map(),
      }
      clients.add(client)
      const come = () => join(client, options.will)
      rejoin.set(client, come)
      later(come)
      life?.onDeath(() => {
        clients.delete(client)
        world.after(world.randomInt(0, noticedWithinMs), () => drop(client))
      })
      return {
        isConnected: () => client.isConnected,
        publish(topic, payload) {
          if (!client.isConnected || (life && !life.step())) return false
          published.push({ atMs: world.monotonicMs(), topic, payload })
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
    say: send,
    setFaults(next) {
      faults = { ...next }
    },
    heal() {
      faults = faultless
      for (const [come, timer] of held) {
        timer.cancel()
        held.set(come, world.after(world.randomInt(0, heldBackAtMostMs), come))
      }
    },
    restart() {
      runs += 1
      const connected = [...clients].filter(({ isConnected }) => isConnected)
      world.log.info('restarts', { who: 'broker', met: connected.length > 0 ? ['broker restart'] : [] })
      for (const client of connected) lose(client)
    },
    cutOff(name, isCut) {
      if (!isCut) {
        world.log.info('has a way to the broker again', { who: name })
        return void cut.delete(name)
      }
      cut.add(name)
      const lost = [...clients].filter(({ isConnected, life }) => isConnected && life?.name === name)
      world.log.info('is cut off', { who: name, met: lost.length > 0 ? ['gateway cut off'] : [] })
      for (const client of lost) {
        const { will } = client
        lose(client)
        if (will) world.after(world.randomInt(0, noticedWithinMs), () => send(will.topic, will.payload))
      }
    },
  }
}
