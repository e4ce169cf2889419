// How messages travel through the simulated broker: with a latency from the seed, and with the faults of a wire.

import type { MqttHandlers } from '@callgate/mqtt/mqttConnection'
import type { FakeWorld } from '@callgate/world/fake'
import type { Timer } from '@callgate/world/world'
import type { Life } from './life.ts'

export interface Message {
  readonly topic: string
  readonly payload: string
}

/** What the wire does to a message, in either direction; each is a probability from 0 to 1. */
export interface WireFaults {
  readonly lose: number
  readonly repeat: number
  /** The message comes up to 15 s late, and messages sent later may come before it. */
  readonly delay: number
  /** The message comes up to a second late, so that the next message may overtake it. */
  readonly reorder: number
  /** The message comes again up to two minutes later. */
  readonly replay: number
  /** The message comes with one character of its body, header or signature changed. */
  readonly alter: number
  /** Somebody without a valid key answers the message. */
  readonly forge: number
}
type WireFault = keyof WireFaults

export const faultless: WireFaults = {
  lose: 0,
  repeat: 0,
  delay: 0,
  reorder: 0,
  replay: 0,
  alter: 0,
  forge: 0,
}

/** A message on its way. */
interface SentMessage extends Message {
  /** Its place among all messages sent on this wire. */
  readonly number: number
  readonly atMs: number
  readonly faults: readonly WireFault[]
}

/** A client that a message is delivered to. */
export interface Receiver {
  readonly handlers: MqttHandlers
  readonly life: Life | undefined
  /** For each gateway the highest number of a message from or for it that the client has received. */
  readonly latest: Map<string, number>
}

export interface Delivery {
  send(topic: string, payload: string): void
  /** Runs `then` after a latency, and after all that was planned before. */
  later(then: () => void): void
  setFaults(faults: WireFaults): void
  /** Ends all faults. Messages that were held back come within the next seconds, in any order. */
  heal(): void
  /** Loses all messages on their way, except replays. */
  loseInFlight(): void
}

const heldBackAtMostMs = 5_000

/** Logs what happened to a message; `met` are the faults that had an effect. */
function logMessage(world: FakeWorld, what: string, sent: SentMessage, met: readonly WireFault[] = []) {
  const { atMs: sentMs, payload, topic } = sent
  world.log.debug(what, { who: 'wire', met, sentMs, topic, payload })
}

function receive(world: FakeWorld, { handlers, latest }: Receiver, sent: SentMessage) {
  const { faults, number, payload, topic } = sent
  const gateway = topic.slice(0, topic.lastIndexOf('/'))
  const latestNumber = latest.get(gateway) ?? 0
  latest.set(gateway, Math.max(number, latestNumber))
  const isOvertaken = number < latestNumber
  const met = faults.filter(fault => fault !== 'reorder' || isOvertaken)
  logMessage(world, 'comes', sent, met)
  handlers.onMessage(topic, Buffer.from(payload))
}

/** The payload with one character changed. */
function altered(world: FakeWorld, payload: string): string {
  const at = world.randomInt(0, payload.length - 1)
  const other = payload[at] === '1' ? '2' : '1'
  return payload.slice(0, at) + other + payload.slice(at + 1)
}

/** Messages that a fault holds back. */
function heldMessages(world: FakeWorld) {
  const held = new Map<() => void, Timer>()
  return {
    hold(then: () => void, delayMs: number) {
      const come = () => {
        held.delete(come)
        then()
      }
      held.set(come, world.after(delayMs, come))
    },
    releaseSoon() {
      for (const [come, timer] of held) {
        timer.cancel()
        held.set(come, world.after(world.randomInt(0, heldBackAtMostMs), come))
      }
    },
  }
}

/** `receiversOf` returns who is connected and subscribed; `forge` makes a forged answer to a message, if it can. */
export function createDelivery(
  world: FakeWorld,
  latencyMs: readonly [number, number],
  given: Partial<WireFaults>,
  receiversOf: (topic: string) => readonly Receiver[],
  forge: (message: Message) => Message | undefined,
): Delivery {
  const { hold, releaseSoon } = heldMessages(world)
  let faults = { ...faultless, ...given }
  let lastAtMs = 0
  let brokerRuns = 0
  let sends = 0

  /** Draws nothing for a fault of probability 0, so that a run without faults does not change. */
  const isHitBy = (fault: WireFault) => faults[fault] > 0 && world.random() < faults[fault]

  function later(then: () => void) {
    lastAtMs = Math.max(lastAtMs, world.monotonicMs() + world.randomInt(...latencyMs))
    world.after(lastAtMs - world.monotonicMs(), then)
  }

  function deliver(sent: SentMessage) {
    const receivers = receiversOf(sent.topic)
    if (receivers.length === 0) logMessage(world, 'nobody hears', sent)
    for (const receiver of receivers) {
      const arrive = () => receive(world, receiver, sent)
      if (receiver.life) receiver.life.enter(arrive)
      else arrive()
    }
  }

  function send(topic: string, payload: string) {
    sends += 1
    const own: SentMessage = { topic, payload, number: sends, atMs: world.monotonicMs(), faults: [] }
    const forged = faults.forge > 0 ? forge(own) : undefined
    if (forged && isHitBy('forge')) world.after(0, () => deliver({ ...own, ...forged, faults: ['forge'] }))
    if (isHitBy('lose'))
      return logMessage(world, 'is lost', own, receiversOf(topic).length > 0 ? ['lose'] : [])
    const sent = isHitBy('alter')
      ? { ...own, payload: altered(world, payload), faults: ['alter'] as const }
      : own
    const ofRun = brokerRuns
    const come = (fault?: WireFault) => () =>
      deliver(fault ? { ...sent, faults: [...sent.faults, fault] } : sent)
    const comeInThisRun = (fault?: WireFault) => () => {
      if (brokerRuns === ofRun) come(fault)()
      else logMessage(world, 'is lost in the restart', sent)
    }
    if (isHitBy('delay')) hold(comeInThisRun('delay'), world.randomInt(200, 15_000))
    else if (isHitBy('reorder')) hold(comeInThisRun('reorder'), world.randomInt(100, 1_000))
    else later(comeInThisRun())
    if (isHitBy('repeat')) hold(comeInThisRun('repeat'), world.randomInt(0, 15_000))
    if (isHitBy('replay')) hold(come('replay'), world.randomInt(1_000, 120_000))
  }

  return {
    send,
    later,
    setFaults(next) {
      faults = { ...next }
    },
    heal() {
      faults = faultless
      releaseSoon()
    },
    loseInFlight() {
      brokerRuns += 1
    },
  }
}
