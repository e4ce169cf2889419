// One run of one of several simulated clouds on one database, with the messages that it receives and answers.

import { noteDrift } from '@callgate/cloud/calibration/profileDoubts'
import { seemsAtMostMs } from '@callgate/cloud/core/lease'
import { migrate } from '@callgate/cloud/database/migrate'
import { startServedTime } from '@callgate/cloud/database/servedTime'
import { createEventFeed } from '@callgate/cloud/event/eventFeed'
import { cloudAccount } from '@callgate/cloud/gateway/brokerAccounts'
import { createExchange, type Exchange } from '@callgate/cloud/opening/exchange'
import { SharedReplica } from '@callgate/cloud/replica/replica'
import { GatewayWire } from '@callgate/cloud/wire/gatewayWire'
import type { Envelope } from '@callgate/contract/wire/messages'
import { readUpTopic } from '@callgate/contract/wire/topics'
import type { MqttHandlers } from '@callgate/mqtt/mqttConnection'
import type { FakeWorld } from '@callgate/world/fake'
import { isoTime } from '@callgate/world/world'
import type { DatabaseWay } from './databaseWay.ts'
import { type Desk, deskOf, tasksOf } from './desk.ts'
import type { KeyRotation } from './keyRotation.ts'
import { ringOf } from './keyring.ts'
import type { Life } from './life.ts'
import type { AtOnceOrSoon, SharedDatabase } from './sharedDatabase.ts'
import { type HouseKeys, readerOf } from './signingKeys.ts'
import type { SimulatedBroker } from './simulatedBroker.ts'
import { knownTo, type Version } from './versions.ts'

/** A claim as it has reached a cloud. */
export interface HeardClaim {
  readonly cloud: string
  readonly atMs: number
  readonly gatewayId: string
  readonly openingId: string
  readonly nonce: string
  /** The boot is the current one of its gateway, and the opening's owner has no lease. */
  readonly mustRefuse: AtOnceOrSoon<boolean>
}

/** The answer to a claim that a cloud has published. */
export interface SaidGrant {
  readonly cloud: string
  readonly atMs: number
  readonly gatewayId: string
  readonly openingId: string
  readonly nonce: string
  readonly body: string
}

export interface ReplicaParts {
  readonly world: FakeWorld
  readonly database: SharedDatabase
  readonly broker: SimulatedBroker
  readonly keys: HouseKeys
  readonly heard: HeardClaim[]
  readonly said: SaidGrant[]
  /** Whether a cloud of the next version has served here. */
  readonly tables: { areNewer: boolean }
  /** Set where the signing key can be rotated. */
  readonly rotation: KeyRotation | undefined
  readonly asksTasks: boolean
  readonly hasKeys: boolean
}

export interface ReplicaRun {
  readonly life: Life
  readonly exchange: Exchange
  readonly wire: GatewayWire
  readonly replica: SharedReplica
  readonly desk: Desk
  /** Rejects where the database cannot be reached. */
  boot(): Promise<void>
  /** It announces that it no longer serves. */
  leave(): Promise<void>
}

/** A cloud estimates the clock of the database in whole milliseconds, so it may take a lease for valid this much longer. */
const estimateMs = 1

/**
 * Whether the claim's boot is current and nobody has a valid lease for its opening. Where the database's clock was set back, a
 * lease may seem valid up to 14 s longer; the page of the promises says so.
 */
function mustRefuse(
  { database }: ReplicaParts,
  { bootId, gatewayId, openingId }: Envelope,
): AtOnceOrSoon<boolean> {
  const nowMs = database.nowMs()
  const found = database.rows(
    `select 1 from openings o join gateways g on g.id = ? and g."bootId" = ? and g."revokedAt" is null
       where o.id = ? and not exists (select 1 from replicas r
         where r.id = o.owner and r.epoch = o."ownerEpoch" and r."leaseUntil" > ? and r."leaseUntil" <= ?)`,
    gatewayId,
    bootId ?? '',
    openingId ?? '',
    isoTime(nowMs - estimateMs),
    isoTime(nowMs + seemsAtMostMs),
  )
  return Array.isArray(found) ? found.length > 0 : found.then(rows => rows.length > 0)
}

/** The faults of one cloud's reception, beside those that the wire has for all. */
export interface Hearing {
  /** The delay of each message for this cloud, in milliseconds. The order stays. */
  lagMs: number
  /** The share of the messages that are lost on their way to it. */
  losesShare: number
  /** The gateways to and from which it has no connection. */
  readonly hidden: Set<string>
}

/** Passes messages on in order, each delayed by what the connection's delay is when the message arrives. */
function slowly(world: FakeWorld, hearing: Hearing) {
  let lastMs = 0
  return (then: (isLate: boolean) => void) => {
    const nowMs = world.monotonicMs()
    lastMs = Math.max(lastMs, nowMs + hearing.lagMs)
    if (lastMs <= nowMs) then(false)
    else world.after(lastMs - nowMs, () => then(true))
  }
}

const gatewayOf = (topic: string) => topic.split('/')[2] ?? ''

/** The connection of one run, with a record of what it receives and sends. */
function connectOf(parts: ReplicaParts, life: Life, hearing: Hearing) {
  const { broker, heard, said, world } = parts
  const isReal = (payload: string) => broker.published.some(message => message.payload === payload)

  function note(topic: string, payload: string) {
    if (readUpTopic(topic)?.kind !== 'claim' || !isReal(payload)) return
    const claim = JSON.parse(payload) as Envelope
    const { gatewayId, nonce = '', openingId = '' } = claim
    const at = { cloud: life.name, atMs: world.monotonicMs() }
    heard.push({ ...at, gatewayId, openingId, nonce, mustRefuse: mustRefuse(parts, claim) })
  }

  return (handlers: MqttHandlers) => {
    const inOrder = slowly(world, hearing)
    const trust = parts.rotation?.newHeard()
    const isHidden = (topic: string) => hearing.hidden.has(gatewayOf(topic))
    const hear = (topic: string, bytes: Uint8Array) => {
      if (!connection.isConnected()) return
      const payload = Buffer.from(bytes).toString()
      note(topic, payload)
      if (readUpTopic(topic)?.kind === 'beat' && isReal(payload)) trust?.heard(gatewayOf(topic), payload)
      handlers.onMessage(topic, bytes)
    }
    const onMessage = (topic: string, bytes: Uint8Array) => {
      const isLost = hearing.losesShare > 0 && world.random() < hearing.losesShare
      if (isLost || isHidden(topic)) {
        const kind = readUpTopic(topic)?.kind ?? 'message'
        const met = [isLost ? `${kind} lost for one cloud` : `${kind} of a gateway hidden from one cloud`]
        return world.log.debug('does not hear', { who: life.name, met, topic })
      }
      if (hearing.lagMs > 0) world.log.debug('hears late', { who: life.name, met: ['broker slow'] })
      inOrder(isLate => (isLate ? life.enter(() => hear(topic, bytes)) : hear(topic, bytes)))
    }
    const connection = broker.connect(
      { subscribe: cloudAccount.subscribes },
      { ...handlers, onMessage },
      life,
    )
    return {
      ...connection,
      publish(topic: string, payload: string) {
        const isSent = isHidden(topic) ? connection.isConnected() : connection.publish(topic, payload)
        if (isSent && !topic.endsWith('/hint')) trust?.says(life.name, gatewayOf(topic), payload)
        if (isSent && topic.endsWith('/grant')) {
          const { body, gatewayId, nonce = '', openingId = '' } = JSON.parse(payload) as Envelope
          said.push({ cloud: life.name, atMs: world.monotonicMs(), gatewayId, openingId, nonce, body })
        }
        return isSent
      },
    }
  }
}

/** Records the kind of a start: it migrated the tables, or found those of the next version. */
async function noteTables(
  { database, tables, world }: ReplicaParts,
  life: Life,
  version: Version,
  hasMigrated: boolean,
): Promise<void> {
  if (version === 'next version') tables.areNewer = true
  if (hasMigrated) {
    const open = await database.rows(`select 1 from openings where status in ('initiated', 'connected')`)
    const met = ['tables migrated', ...(open.length > 0 ? ['tables migrated during an opening'] : [])]
    world.log.info('has migrated the tables', { who: life.name, met })
  } else if (version === 'this version' && tables.areNewer)
    world.log.info('starts on newer tables', { who: life.name, met: ['former version started'] })
}

export interface RunOptions {
  readonly way: DatabaseWay
  readonly hearing: Hearing
  readonly version: Version
}

export function runOf(parts: ReplicaParts, life: Life, { hearing, version, way }: RunOptions): ReplicaRun {
  const { keys } = parts
  const { world } = life
  const database = parts.database.of(life, way)
  const connect = connectOf(parts, life, hearing)
  const ring = parts.rotation && ringOf(parts.rotation, life, database)
  const signing = () => ring?.signing() ?? { keys: [keys.cloud.signing], number: 0 }
  const wire = new GatewayWire({ world, database, signing, readKey: readerOf(keys), connect })
  const replica = new SharedReplica({ world, database, isListening: () => wire.isConnected() })
  const feed = createEventFeed({ world, database })
  const exchange = createExchange({ noteDrift, world, database, endpoint: wire, several: { replica, feed } })
  const tasks = parts.asksTasks ? tasksOf({ world, database, replica, endpoint: wire }) : undefined
  async function boot() {
    const ran = await migrate(database, () => {}, knownTo[version])
    await noteTables(parts, life, version, ran.length > 0)
    await ring?.join()
    await exchange.start()
    tasks?.start()
    if (parts.hasKeys) await startServedTime({ world, database, ends: [] })
    wire.start(exchange, tasks)
  }
  const leave = async () => ring?.leave()
  return { life, exchange, wire, replica, boot, leave, desk: deskOf(world, database, exchange) }
}
