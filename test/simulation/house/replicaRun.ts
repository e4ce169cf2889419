// One run of one of several simulated clouds on one database, and what it hears and answers.

import { seemsAtMostMs } from '@callgate/cloud/core/lease'
import { schemaState } from '@callgate/cloud/database/migrations/schemaState'
import { createEventFeed } from '@callgate/cloud/event/eventFeed'
import { cloudAccount } from '@callgate/cloud/gateway/brokerAccounts'
import { GatewayWire } from '@callgate/cloud/gateway/gatewayWire'
import { createExchange, type Exchange } from '@callgate/cloud/opening/exchange'
import { SharedReplica } from '@callgate/cloud/replica/replica'
import type { Envelope } from '@callgate/contract/wire/messages'
import { readUpTopic } from '@callgate/contract/wire/topics'
import type { MqttHandlers } from '@callgate/mqtt/mqttConnection'
import type { FakeWorld } from '@callgate/world/fake'
import { isoTime } from '@callgate/world/world'
import type { DatabaseWay } from './databaseWay.ts'
import type { Life } from './life.ts'
import type { SharedDatabase } from './sharedDatabase.ts'
import { type HouseKeys, readerOf } from './signingKeys.ts'
import type { SimulatedBroker } from './simulatedBroker.ts'

/** A claim as it has reached a cloud. */
export interface HeardClaim {
  readonly cloud: string
  readonly atMs: number
  readonly gatewayId: string
  readonly openingId: string
  readonly nonce: string
  /** The boot is the current one of its gateway, and the opening's owner has no lease. */
  readonly mustRefuse: boolean
}

/** What a cloud has published as the answer to a claim. */
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
}

export interface ReplicaRun {
  readonly life: Life
  readonly exchange: Exchange
  readonly wire: GatewayWire
  readonly replica: SharedReplica
  /** Rejects where the database cannot be reached. */
  boot(): Promise<void>
}

/**
 * Whether the claim's boot is current and nobody's lease holds for its opening. Where the database's clock was set back, a
 * lease may seem to hold up to 14 s longer; the page of the promises says so.
 */
function mustRefuse({ database }: ReplicaParts, { bootId, gatewayId, openingId }: Envelope): boolean {
  const nowMs = database.nowMs()
  return (
    database.rows(
      `select 1 from openings o join gateways g on g.id = ? and g."bootId" = ? and g."revokedAt" is null
       where o.id = ? and not exists (select 1 from replicas r
         where r.id = o.owner and r.epoch = o."ownerEpoch" and r."leaseUntil" > ? and r."leaseUntil" <= ?)`,
      gatewayId,
      bootId ?? '',
      openingId ?? '',
      isoTime(nowMs),
      isoTime(nowMs + seemsAtMostMs),
    ).length > 0
  )
}

/** How late a cloud hears each message now, milliseconds. Their order stays. */
type LagMs = () => number

/** Passes messages on in their order, each late by as much as the way is slow when it comes. */
function slowly(world: FakeWorld, lagMs: LagMs) {
  let lastMs = 0
  return (then: (isLate: boolean) => void) => {
    const nowMs = world.monotonicMs()
    lastMs = Math.max(lastMs, nowMs + lagMs())
    if (lastMs <= nowMs) then(false)
    else world.after(lastMs - nowMs, () => then(true))
  }
}

/** The connection of one run, with what it hears and says noted. */
function connectOf(parts: ReplicaParts, life: Life, lagMs: LagMs) {
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
    const inOrder = slowly(world, lagMs)
    const hear = (topic: string, bytes: Uint8Array) => {
      if (!connection.isConnected()) return
      note(topic, Buffer.from(bytes).toString())
      handlers.onMessage(topic, bytes)
    }
    const onMessage = (topic: string, bytes: Uint8Array) => {
      if (lagMs() > 0) world.log.debug('hears late', { who: life.name, met: ['broker slow'] })
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
        const isSent = connection.publish(topic, payload)
        if (isSent && topic.endsWith('/grant')) {
          const { body, gatewayId, nonce = '', openingId = '' } = JSON.parse(payload) as Envelope
          said.push({ cloud: life.name, atMs: world.monotonicMs(), gatewayId, openingId, nonce, body })
        }
        return isSent
      },
    }
  }
}

export function runOf(parts: ReplicaParts, life: Life, way: DatabaseWay, lagMs: LagMs): ReplicaRun {
  const { keys } = parts
  const { world } = life
  const database = parts.database.of(life, way)
  const connect = connectOf(parts, life, lagMs)
  const signing = () => ({ keys: [keys.cloud.signing], number: 0 })
  const wire = new GatewayWire({ world, database, signing, readKey: readerOf(keys), connect })
  const replica = new SharedReplica({ world, database, isListening: () => wire.isConnected() })
  const feed = createEventFeed({ world, database })
  const exchange = createExchange({ world, database, door: wire, several: { replica, feed } })
  async function boot() {
    const state = await schemaState(database.knex)
    if (state !== 'current' && state !== 'readable') throw new Error(`the tables are ${state}`)
    await exchange.start()
    wire.start(exchange)
  }
  return { life, exchange, wire, replica, boot }
}
