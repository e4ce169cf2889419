// One run of one of several simulated clouds on one database, and what it hears and answers.

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
import type { Life } from './life.ts'
import type { DatabaseWay, SharedDatabase } from './sharedDatabase.ts'
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

/** Whether the claim's boot is current and nobody's lease holds for its opening. */
function mustRefuse({ database, world }: ReplicaParts, { bootId, gatewayId, openingId }: Envelope): boolean {
  const now = new Date(world.nowMs()).toISOString()
  return (
    database.rows(
      `select 1 from openings o join gateways g on g.id = ? and g."bootId" = ? and g."revokedAt" is null
       where o.id = ? and not exists (select 1 from replicas r
         where r.id = o.owner and r.epoch = o."ownerEpoch" and r."leaseUntil" > ?)`,
      gatewayId,
      bootId ?? '',
      openingId ?? '',
      now,
    ).length > 0
  )
}

/** The connection of one run, with what it hears and says noted. */
function connectOf(parts: ReplicaParts, life: Life) {
  const { broker, heard, said, world } = parts
  const own = (payload: string) => broker.published.some(message => message.payload === payload)
  return (handlers: MqttHandlers) => {
    const connection = broker.connect(
      { subscribe: cloudAccount.subscribes },
      {
        ...handlers,
        onMessage(topic, bytes) {
          const payload = Buffer.from(bytes).toString()
          if (readUpTopic(topic)?.kind === 'claim' && own(payload)) {
            const claim = JSON.parse(payload) as Envelope
            const { gatewayId, nonce = '', openingId = '' } = claim
            const at = { cloud: life.name, atMs: world.monotonicMs() }
            heard.push({ ...at, gatewayId, openingId, nonce, mustRefuse: mustRefuse(parts, claim) })
          }
          handlers.onMessage(topic, bytes)
        },
      },
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

export function runOf(parts: ReplicaParts, life: Life, way: DatabaseWay): ReplicaRun {
  const { keys } = parts
  const { world } = life
  const database = parts.database.of(life, way)
  const connect = connectOf(parts, life)
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
