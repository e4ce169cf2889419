// The cloud's end of MQTT: checks who speaks, hands it to the exchange, and sends hints, grants and acks.

import { readBody, readEnvelope } from '@callgate/contract/validate'
import type { Ack, Envelope, Grant } from '@callgate/contract/wire/messages'
import {
  isSignedBy,
  type SigningKey,
  seal,
  type VerifyingKey,
  verifyingKey,
} from '@callgate/contract/wire/signature'
import { everyGateway, readUpTopic, topicOf, type UpKind, upKinds } from '@callgate/contract/wire/topics'
import type { MqttConnection, MqttHandlers } from '@callgate/mqtt/mqttConnection'
import { limitedLog } from '@callgate/world/limitedLog'
import { moment, type World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import type { Exchange } from '../opening/exchange.ts'
import type { GatewayDoor } from '../opening/gatewayDoor.ts'
import { createPresence } from './presence.ts'

/** What the cloud subscribes to. */
export const upTopics: readonly string[] = upKinds.map(everyGateway)

export interface GatewayWire extends GatewayDoor {
  /** Connects, and hands what gateways say to `exchange`. */
  start(exchange: Exchange): void
  isConnected(): boolean
  stop(): Promise<void>
}

/** Messages of one gateway that may be worked on at once; more are dropped, and the gateway sends them again. */
const mostAtOnce = 64

export function createGatewayWire(parts: {
  world: World
  database: Database
  signingKey: SigningKey
  /** Reads a gateway's public key; `verifyingKey` where nothing else is given. */
  readKey?: (publicKey: string) => VerifyingKey | undefined
  /** Connects with a subscription to `upTopics`. */
  connect: (handlers: MqttHandlers) => MqttConnection
}): GatewayWire {
  const { database, readKey = verifyingKey, signingKey, world } = parts
  const presence = createPresence(world)
  const keys = new Map<string, VerifyingKey>()
  const atWork = new Map<string, number>()
  const complain = limitedLog(world)
  let connection: MqttConnection | undefined

  function publish(gatewayId: string, kind: 'hint' | 'grant' | 'ack', payload: string) {
    if (!connection?.publish(topicOf(gatewayId, kind), payload))
      world.log.warn('not sent: no connection to the broker', { gatewayId, kind })
  }

  /** Gateways keep their key for life, so it is read once. Revocation is asked in every transaction. */
  async function keyOf(gatewayId: string): Promise<VerifyingKey | undefined> {
    const known = keys.get(gatewayId)
    if (known) return known
    const row = await database.knex('gateways').select('publicKey').where({ id: gatewayId }).first()
    const key = row && readKey(row.publicKey)
    if (key) keys.set(gatewayId, key)
    return key
  }

  type Addressed = Pick<Envelope, 'bootId' | 'gatewayId' | 'nonce' | 'openingId' | 'seq'>

  function answer(to: Addressed, type: 'grant' | 'ack', body: Grant | Ack) {
    const { bootId, gatewayId, nonce, openingId, seq } = to
    const header = {
      ...(openingId !== undefined && { openingId }),
      ...(nonce !== undefined && { nonce }),
      ...(bootId !== undefined && { bootId }),
      ...(seq !== undefined && { seq }),
    }
    publish(gatewayId, type, seal(signingKey, { type, gatewayId, ...header, body: JSON.stringify(body) }))
  }

  /** Each returns what was wrong with the message, or nothing. */
  const receive: Record<UpKind, (envelope: Envelope, exchange: Exchange) => Promise<string | undefined>> = {
    async claim(envelope, exchange) {
      const { bootId, gatewayId, nonce, openingId } = envelope
      const body = readBody(envelope, 'claim')
      if (!body.ok) return body.message
      if (!openingId || !nonce || !bootId) return 'a claim without openingId, nonce or bootId'
      const { sinceBootMs } = body.value
      const said = await exchange.claim({ gatewayId, openingId, nonce, bootId, sinceBootMs })
      if ('challenge' in said)
        answer({ gatewayId, bootId, nonce: said.challenge }, 'ack', { result: 'challenge' })
      else answer(envelope, 'grant', said)
      return undefined
    },
    async report(envelope, exchange) {
      const { body: text, bootId, gatewayId, openingId, seq, signature } = envelope
      const body = readBody(envelope, 'report')
      if (!body.ok) return body.message
      if (!openingId || !bootId || !seq) return 'a report without openingId, bootId or seq'
      const report = { gatewayId, openingId, bootId, seq, report: body.value, body: text, signature }
      answer(envelope, 'ack', await exchange.report(report))
      return undefined
    },
    async beat(envelope, exchange) {
      const at = moment(world)
      const { body: text, bootId, gatewayId, nonce, seq } = envelope
      const body = readBody(envelope, 'beat')
      if (!body.ok) return body.message
      if (!bootId || !seq) return 'a beat without bootId or seq'
      const { journalId, online: isOnline, takenUp: wasTakenUp = false, toReport } = body.value
      const beat = { gatewayId, bootId, seq, isOnline, wasTakenUp, journalId, toReport, body: text }
      const said = await exchange.beat({ ...beat, ...(nonce !== undefined && { nonce }) })
      if (said.kind === 'challenge')
        answer({ gatewayId, bootId, seq, nonce: said.nonce }, 'ack', { result: 'challenge' })
      else if (said.kind === 'current') {
        presence.beat({ gatewayId, bootId, seq, spaceId: said.spaceId }, body.value, at)
        // Also of a beat that answers again: what said so before may be lost.
        if (nonce !== undefined) answer(envelope, 'ack', { result: 'taken_up' })
      } else if (said.kind === 'old') {
        // A will is sealed before all beats of its connection.
        if (!isOnline) presence.beat({ gatewayId, bootId, seq, spaceId: said.spaceId }, body.value, at)
      } else {
        presence.remove(gatewayId, bootId)
        if (isOnline) answer(envelope, 'ack', { result: 'refused', reason: 'superseded' })
      }
      return undefined
    },
  }

  async function onMessage(exchange: Exchange, topic: string, payload: Uint8Array): Promise<void> {
    const place = readUpTopic(topic)
    if (!place) return
    const { gatewayId, kind } = place
    const drop = (why: string) => complain('a message was dropped', { gatewayId, kind, why })
    if (exchange.isCutOff(gatewayId)) return drop('it is cut off')
    const busy = atWork.get(gatewayId) ?? 0
    if (busy >= mostAtOnce) return drop('too many at once')
    const envelope = readEnvelope(payload)
    if (!envelope.ok) return drop(envelope.message)
    if (envelope.value.gatewayId !== gatewayId || envelope.value.type !== kind)
      return drop('it belongs to another topic')
    atWork.set(gatewayId, busy + 1)
    try {
      const key = await keyOf(gatewayId)
      if (!key || !isSignedBy(envelope.value, [key])) return drop('its signature does not hold')
      const wrong = await receive[kind](envelope.value, exchange)
      if (wrong) drop(wrong)
    } finally {
      const left = (atWork.get(gatewayId) ?? 1) - 1
      if (left > 0) atWork.set(gatewayId, left)
      else atWork.delete(gatewayId)
    }
  }

  return {
    online: presence.online,
    clocks: presence.clocks,
    hint(gatewayId, openingId) {
      publish(gatewayId, 'hint', JSON.stringify({ openingId }))
    },
    start(exchange) {
      connection = parts.connect({
        onConnect: () => world.log.info('connected to the broker'),
        onDisconnect: () => world.log.warn('lost the broker'),
        onRefused: why => world.log.error('the broker refuses us', { why }),
        onMessage(topic, payload) {
          onMessage(exchange, topic, payload).catch((error: unknown) =>
            world.log.error('a message could not be worked on', { topic, error: String(error) }),
          )
        },
      })
    },
    isConnected: () => connection?.isConnected() ?? false,
    async stop() {
      await connection?.close()
    },
  }
}
