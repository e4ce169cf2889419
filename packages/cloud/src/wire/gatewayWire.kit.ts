// The cloud's wire for tests: one gateway with its key in the database, and a test that plays the exchange and the broker.

import type { Beat, Envelope, Grant, Report } from '@callgate/contract/wire/messages'
import { type SigningKey, seal, signingKey, verifyingKey } from '@callgate/contract/wire/signature'
import { topicOf, type UpKind } from '@callgate/contract/wire/topics'
import type { MqttConnection, MqttHandlers } from '@callgate/mqtt/mqttConnection'
import { fakeWorld, settle } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import { memoryDatabase } from '../database/tables.kit.ts'
import type { BeatFacts } from '../heartbeat/beats.ts'
import { type BeatsAside, beatsAside } from '../heartbeat/beatsAside.ts'
import type { Heartbeat } from '../heartbeat/heartbeat.ts'
import type { Challenge } from '../opening/claims.ts'
import type { Exchange } from '../opening/exchange.ts'
import type { SigningKeys } from '../secrets/signingKeys.ts'
import type { VerifiedTold } from '../task/taskEndpoint.ts'
import { GatewayWire } from './gatewayWire.ts'

const key = (byte: number) => signingKey(new Uint8Array(32).fill(byte))
export const cloudKey = key(1)
export const gatewayKey = key(2)
export const strangerKey = key(3)
/** A text of 128 bits as in a message, all of one letter. */
export const random = (letter: string) => letter.repeat(22)

async function furnish({ knex }: Database, world: ReturnType<typeof fakeWorld>) {
  const [spaceId, gatewayId] = [newId(world, 'space'), newId(world, 'gw')]
  const createdAt = isoTime(world.nowMs())
  const zone = { country: 'RO', timezone: 'Europe/Bucharest', language: 'en' }
  await knex('spaces').insert({ id: spaceId, name: 'A', plan: 'free', ...zone, createdAt })
  const keys = { publicKey: gatewayKey.publicKey, passwordHash: 'p' }
  await knex('gateways').insert({ id: gatewayId, spaceId, name: 'Pi', ...keys, createdAt })
  return { spaceId, gatewayId }
}

const beatBody: Beat = {
  online: true,
  connectionId: random('C'),
  journalId: random('J'),
  toReport: [],
  version: '1.0.0',
  uptimeS: 1,
  modem: {
    state: 'ready',
    trouble: null,
    registration: 'home',
    model: null,
    operator: null,
    signalDbm: null,
    voltageMv: null,
  },
  queueLength: 0,
}

/** The answers of the simulated exchange; a report is pending until `commit`. */
interface Answers {
  claim: Grant | Challenge
  isBootKnown: boolean
  /** Whether a later beat has counted already. */
  isBeatOld?: boolean
  isCutOff: boolean
  challenge?: string
  facts?: BeatFacts
  fails: boolean
  /** The error of a beat; undefined where it succeeds. */
  beatFault?: Error
  /** The error of writing down what a beat says of an update; undefined where that succeeds. */
  updateFault?: Error | undefined
}

/** An exchange that answers as a test sets it, and lists what reached it. */
function playedExchange(spaceId: string, aside: BeatsAside) {
  const heard: UpKind[] = []
  const commits: (() => void)[] = []
  const says: Answers = {
    claim: { granted: false, reason: 'refused' },
    isBootKnown: true,
    isCutOff: false,
    fails: false,
  }
  const heartbeat: Pick<Heartbeat, 'aside' | 'beat'> & {
    readonly limits: Pick<Heartbeat['limits'], 'isCutOff'>
  } = {
    aside,
    limits: { isCutOff: () => says.isCutOff },
    async beat() {
      heard.push('beat')
      if (says.beatFault) throw says.beatFault
      if (says.challenge !== undefined) return { kind: 'challenge', nonce: says.challenge }
      if (says.isBeatOld) return { kind: 'old', spaceId }
      return says.isBootKnown
        ? { kind: 'current', spaceId, ...(says.facts && { facts: says.facts }) }
        : { kind: 'refused' }
    },
  }
  const exchange: Pick<Exchange, 'claim' | 'report'> = {
    async claim() {
      heard.push('claim')
      if (says.fails) throw new Error('the disk is full')
      return says.claim
    },
    report() {
      heard.push('report')
      return new Promise(resolve => commits.push(() => resolve({ result: 'applied' })))
    },
  }
  /** Commits the pending reports. */
  async function commit() {
    for (const done of commits.splice(0)) done()
    await settle()
  }
  return { exchange: { ...exchange, heartbeat } as Exchange, heard, says, commit }
}

/** A broker that lists messages that are sent while it is connected, and delivers messages for a test. */
function playedBroker(gatewayId: string) {
  const sent: { topic: string; payload: string }[] = []
  const broker = { isConnected: true }
  let handlers: MqttHandlers | undefined
  return {
    broker,
    sent,
    handlers: () => handlers,
    connect(given: MqttHandlers): MqttConnection {
      handlers = given
      return {
        isConnected: () => broker.isConnected,
        publish(topic, payload) {
          if (broker.isConnected) sent.push({ topic, payload })
          return broker.isConnected
        },
        close: async () => {
          broker.isConnected = false
        },
      }
    },
    /** Answers of one kind, as envelopes. */
    answers: (kind: 'grant' | 'ack' | 'task'): Envelope[] =>
      sent
        .filter(({ topic }) => topic === topicOf(gatewayId, kind))
        .map(({ payload }) => JSON.parse(payload)),
    /** Delivers a payload on the gateway's topic, or on another's. */
    async say(kind: UpKind, payload: string, topicOfId = gatewayId) {
      handlers?.onMessage(topicOf(topicOfId, kind), Buffer.from(payload))
      await settle()
    },
  }
}

/** The messages of the gateway, sealed. */
function messagesOf(gatewayId: string, openingId: string) {
  const header = { gatewayId, openingId, bootId: random('B') }
  const sealed = (message: Omit<Parameters<typeof seal>[1], 'gatewayId'>, by: SigningKey) =>
    seal(by, { gatewayId, ...message })
  return {
    header,
    sealed,
    claim(by: SigningKey = gatewayKey) {
      const body = JSON.stringify({ modemId: 'm', sinceBootMs: 1 })
      return sealed({ type: 'claim', ...header, nonce: random('N'), body }, by)
    },
    report(seq = 1) {
      const body: Report = { phase: 'not_dialled', sinceClaimMs: 1 }
      return sealed({ type: 'report', ...header, seq, body: JSON.stringify(body) }, gatewayKey)
    },
    beat(more: Partial<Beat> = {}, seq = 1, answer: { nonce?: string } = {}) {
      const body = JSON.stringify({ ...beatBody, ...more })
      return sealed({ type: 'beat', bootId: header.bootId, seq, ...answer, body }, gatewayKey)
    },
  }
}

export type WireRig = Awaited<ReturnType<typeof wireRig>>

/** A wire that `start` starts. */
export async function wireRig(readKey = verifyingKey) {
  const held: { keys: SigningKeys } = { keys: { keys: [cloudKey], number: 0 } }
  const world = fakeWorld(1)
  const database = await memoryDatabase()
  const { gatewayId, spaceId } = await furnish(database, world)
  const { connect, ...played } = playedBroker(gatewayId)
  const replica = { isAlone: false, owns: () => true }
  const { exchange, ...answering } = playedExchange(spaceId, beatsAside({ world, replica }))
  const told: VerifiedTold[] = []
  const updates: Beat['update'][] = []
  const wire = new GatewayWire({ world, database, signing: () => held.keys, connect, readKey })
  return {
    world,
    database,
    wire,
    gatewayId,
    spaceId,
    held,
    ...played,
    ...answering,
    ...messagesOf(gatewayId, newId(world, 'open')),
    told,
    updates,
    start() {
      const ofTasks = { told: async (message: VerifiedTold) => void told.push(message) }
      const ofUpdates = {
        async told(_gatewayId: string, _spaceId: string, said: Beat['update']) {
          await settle()
          if (answering.says.updateFault) throw answering.says.updateFault
          updates.push(said)
        },
      }
      wire.start(exchange, ofTasks, ofUpdates)
    },
    close: () => database.close(),
  }
}
