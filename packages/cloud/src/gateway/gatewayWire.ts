// The cloud's end of MQTT: checks who speaks, hands it to the exchange, and sends hints, grants and acks.

import { prepareToRead, readBody, readEnvelope } from '@callgate/contract/validate'
import type { Ack, Beat, Envelope, Grant, KeyStatement } from '@callgate/contract/wire/messages'
import { isSignedBy, seal, signed, type VerifyingKey, verifyingKey } from '@callgate/contract/wire/signature'
import { readUpTopic, topicOf, type UpKind, upKinds } from '@callgate/contract/wire/topics'
import type { MqttConnection, MqttHandlers } from '@callgate/mqtt/mqttConnection'
import { passed } from '@callgate/world/hops'
import { limitedLog } from '@callgate/world/limitedLog'
import { measured } from '@callgate/world/measures'
import { type Moment, moment, type World } from '@callgate/world/world'
import { keyFor, type Trusts, trustOf } from '../core/keyChoice.ts'
import { type Database, databaseTrouble } from '../database/database.ts'
import { statement } from '../database/statement.ts'
import type { BeatAnswer } from '../opening/beats.ts'
import type { Exchange } from '../opening/exchange.ts'
import type { GatewayDoor, GrantedClaim } from '../opening/gatewayDoor.ts'
import type { SigningKeys } from '../secrets/signingKeys.ts'
import { type BrokerFault, sayBrokerFault } from './brokerFaults.ts'
import { Listening } from './listening.ts'
import { createPresence, type Presence } from './presence.ts'

interface Parts {
  readonly world: World
  readonly database: Database
  readonly signing: () => SigningKeys
  /** Reads a gateway's public key; `verifyingKey` where nothing else is given. */
  readonly readKey?: (publicKey: string) => VerifyingKey | undefined
  /** Connects with the subscriptions of the cloud's account. */
  readonly connect: (handlers: MqttHandlers) => MqttConnection
}

/** Messages of one gateway that may be worked on at once. More are dropped, and the gateway sends them again. */
const mostAtOnce = 64

const keyOf = statement<{ readonly id: string }, { readonly publicKey: string }>((db, { id }) =>
  db('gateways').select('publicKey').where({ id }),
)

/** What an answer repeats of the message that it answers. */
type Addressed = Pick<Envelope, 'bootId' | 'gatewayId' | 'nonce' | 'openingId' | 'seq'>

/** What was wrong with a message; undefined where nothing was. */
type Fault = string | undefined

export class GatewayWire implements GatewayDoor {
  readonly #parts: Parts
  readonly #presence: Presence
  readonly #listening: Listening
  readonly #keys = new Map<string, VerifyingKey>()
  /** What each gateway trusts, as its last beat said. */
  readonly #trusts = new Map<string, Trusts>()
  /** Grants that were signed when they were written down: they go as they are. */
  readonly #sealed = new WeakMap<Grant | Ack, string>()
  /** How many messages of each gateway are worked on. */
  readonly #atWork = new Map<string, number>()
  readonly #complain: ReturnType<typeof limitedLog>
  #connection: MqttConnection | undefined
  #brokerFault: BrokerFault = 'start'

  constructor(parts: Parts) {
    this.#parts = parts
    this.#presence = createPresence(parts.world)
    this.#listening = new Listening(parts.world)
    this.#complain = limitedLog(parts.world)
  }

  online(spaceId: string) {
    return this.#presence.online(spaceId)
  }

  /** How many gateways of all Spaces are online. */
  onlineCount(): number {
    return this.#presence.count()
  }

  clocks(spaceId: string, pressedAt: Moment) {
    return this.#presence.clocks(spaceId, pressedAt)
  }

  hint(gatewayId: string, openingId: string): void {
    this.#publish(gatewayId, 'hint', JSON.stringify({ openingId }))
  }

  sign(grant: Grant, { bootId, gatewayId, nonce, openingId }: GrantedClaim): string {
    const key = keyFor(this.#parts.signing(), this.#trusts.get(gatewayId))
    const message = { gatewayId, openingId, nonce, bootId, body: JSON.stringify(grant) }
    const envelope = signed(key, { type: 'grant', ...message })
    this.#sealed.set(grant, JSON.stringify(envelope))
    return envelope.signature
  }

  /** Connects, and hands the gateways' messages to `exchange`. */
  start(exchange: Exchange): void {
    const { log } = this.#parts.world
    this.#connection = this.#parts.connect({
      onConnect: () => {
        this.#listening.begin()
        log.info('connected to the broker')
      },
      onDisconnect: () => {
        this.#listening.end()
        this.#brokerFault = 'lost'
        log.warn('lost the broker')
      },
      onRefused: ({ kind, message: why }) => {
        this.#brokerFault = kind
        log.error('the cloud is not connected to the broker', {
          reason: sayBrokerFault(kind, 'MQTT_URL'),
          why,
        })
      },
      onMessage: (topic, payload) => {
        this.#listening.hear()
        this.#onMessage(exchange, topic, payload).catch((error: unknown) =>
          log.error('a message could not be worked on', { topic, error: String(error) }),
        )
      },
    })
    prepareToRead(upKinds)
  }

  isConnected(): boolean {
    return this.#connection?.isConnected() ?? false
  }

  /** Whether it has listened for long enough to know which gateways are online. */
  knowsOnline(): boolean {
    return this.isConnected() && this.#listening.isWhole()
  }

  /** Why no message reaches a gateway, as a sentence; undefined while the broker is connected. */
  brokerFault(): string | undefined {
    return this.isConnected() ? undefined : sayBrokerFault(this.#brokerFault, 'MQTT_URL')
  }

  async stop(): Promise<void> {
    await this.#connection?.close()
  }

  async #onMessage(exchange: Exchange, topic: string, payload: Uint8Array): Promise<void> {
    const place = readUpTopic(topic)
    if (!place) return
    const { gatewayId, kind } = place
    measured({ kind: 'message', direction: 'received', type: kind })
    const drop = (why: string) => {
      measured({ kind: 'message', direction: 'dropped', type: kind })
      this.#complain('a message was dropped', { gatewayId, kind, why })
    }
    if (exchange.isCutOff(gatewayId)) return drop('it is cut off')
    const busy = this.#atWork.get(gatewayId) ?? 0
    if (busy >= mostAtOnce) return drop('too many at once')
    const envelope = readEnvelope(payload)
    if (!envelope.ok) return drop(envelope.message)
    if (envelope.value.gatewayId !== gatewayId || envelope.value.type !== kind)
      return drop('it belongs to another topic')
    this.#atWork.set(gatewayId, busy + 1)
    try {
      const key = await this.#keyOf(gatewayId)
      if (!key || !isSignedBy(envelope.value, [key])) return drop('its signature does not hold')
      if (kind !== 'beat') passed(kind, { openingId: envelope.value.openingId })
      const fault = await this.#receive(kind, envelope.value, exchange)
      if (fault) drop(fault)
    } finally {
      // Not tested: a gateway without a count; its message was counted above.
      const left = (this.#atWork.get(gatewayId) ?? 1) - 1
      if (left > 0) this.#atWork.set(gatewayId, left)
      else this.#atWork.delete(gatewayId)
    }
  }

  /** A gateway keeps its key for life, so the key is read once. Every transaction asks whether the gateway is revoked. */
  async #keyOf(gatewayId: string): Promise<VerifyingKey | undefined> {
    const known = this.#keys.get(gatewayId)
    if (known) return known
    const { database, readKey = verifyingKey } = this.#parts
    const [row] = await keyOf(database.knex, { id: gatewayId })
    const key = row && readKey(row.publicKey)
    if (key) this.#keys.set(gatewayId, key)
    return key
  }

  #receive(kind: UpKind, envelope: Envelope, exchange: Exchange): Promise<Fault> {
    if (kind === 'claim') return this.#receiveClaim(envelope, exchange)
    if (kind === 'report') return this.#receiveReport(envelope, exchange)
    return this.#receiveBeat(envelope, exchange)
  }

  async #receiveClaim(envelope: Envelope, exchange: Exchange): Promise<Fault> {
    const { bootId, gatewayId, nonce, openingId } = envelope
    const body = readBody(envelope, 'claim')
    if (!body.ok) return body.message
    if (!openingId || !nonce || !bootId) return 'a claim without openingId, nonce or bootId'
    const { sinceBootMs } = body.value
    const answer = await exchange.claim({ gatewayId, openingId, nonce, bootId, sinceBootMs })
    if (!answer) return undefined
    if ('challenge' in answer)
      this.#answer({ gatewayId, bootId, nonce: answer.challenge }, 'ack', { result: 'challenge' })
    else this.#answer(envelope, 'grant', answer)
    return undefined
  }

  async #receiveReport(envelope: Envelope, exchange: Exchange): Promise<Fault> {
    const { body: text, bootId, gatewayId, openingId, seq, signature } = envelope
    const body = readBody(envelope, 'report')
    if (!body.ok) return body.message
    if (!openingId || !bootId || !seq) return 'a report without openingId, bootId or seq'
    const report = { gatewayId, openingId, bootId, seq, report: body.value, body: text, signature }
    const ack = await exchange.report(report)
    if (ack) this.#answer(envelope, 'ack', ack)
    return undefined
  }

  async #receiveBeat(envelope: Envelope, exchange: Exchange): Promise<Fault> {
    const at = moment(this.#parts.world)
    const { body: text, bootId, gatewayId, nonce, seq } = envelope
    const body = readBody(envelope, 'beat')
    if (!body.ok) return body.message
    if (!bootId || !seq) return 'a beat without bootId or seq'
    const { journalId, modem, online: isOnline, takenUp: wasTakenUp = false, toReport } = body.value
    const { registration, signalDbm, voltageMv: supplyMv } = modem
    const figures = { registration, signalDbm, supplyMv }
    const beat = { gatewayId, bootId, seq, isOnline, wasTakenUp, journalId, toReport, figures, body: text }
    // Before the database is asked, which may not answer: a gateway that beats all that time is not offline afterwards.
    const isKnown = this.#presence.beatAgain({ gatewayId, bootId, seq }, body.value, at)
    const answer = await exchange
      .beat({ ...beat, ...(nonce !== undefined && { nonce }) })
      .catch((error: unknown) => {
        if (!isKnown && databaseTrouble(error) === 'unreachable') this.#listening.miss()
        throw error
      })
    this.#follow(answer, { ...envelope, bootId, seq }, body.value, at)
    return undefined
  }

  /** What the exchange's answer to a beat means for the presence of its gateway, and what the gateway is told. */
  #follow(
    answer: BeatAnswer,
    envelope: Addressed & { readonly bootId: string; readonly seq: number },
    beat: Beat,
    at: Moment,
  ): void {
    const { bootId, gatewayId, nonce, seq } = envelope
    // An old beat, or one that was played back, says what was trusted once.
    const isNews = beat.online && (answer.kind === 'current' || answer.kind === 'heard')
    if (isNews) this.#trusts.set(gatewayId, beat.trusts)
    if (isNews && answer.kind === 'current') this.#tellKeys(gatewayId, beat.trusts)
    const asked = answer.kind === 'challenge' && { gatewayId, bootId, seq, nonce: answer.nonce }
    if (asked) {
      this.#presence.remove(gatewayId, bootId)
      this.#answer(asked, 'ack', { result: 'challenge' }, beat.trusts)
    } else if (answer.kind === 'current') {
      this.#presence.beat({ gatewayId, bootId, seq, spaceId: answer.spaceId }, beat, at)
      // To every beat that carries a nonce: an earlier acknowledgement may be lost.
      if (nonce !== undefined) this.#answer(envelope, 'ack', { result: 'taken_up' })
    } else if (answer.kind === 'heard')
      this.#presence.beat({ gatewayId, bootId, seq, spaceId: answer.spaceId }, beat, at)
    else if (answer.kind === 'old') {
      // A will is sealed before all beats of its connection, so its number is old.
      if (!beat.online) this.#presence.beat({ gatewayId, bootId, seq, spaceId: answer.spaceId }, beat, at)
    } else {
      this.#presence.remove(gatewayId, bootId)
      if (beat.online && answer.kind === 'refused')
        this.#answer(envelope, 'ack', { result: 'refused', reason: 'superseded' }, beat.trusts)
    }
  }

  /** Tells the gateway with which keys the cloud signs, where it trusts others. It is told again until a beat says so. */
  #tellKeys(gatewayId: string, trusts: Trusts): void {
    const held = this.#parts.signing()
    const trust = trustOf(held, trusts)
    if (trust.kind !== 'tell') return
    const keys = held.keys.map(({ publicKey }) => publicKey)
    const body = JSON.stringify({ result: 'keys', number: held.number, keys } satisfies KeyStatement)
    this.#publish(gatewayId, 'ack', seal(trust.by, { type: 'ack', gatewayId, body }))
  }

  #answer(to: Addressed, type: 'grant' | 'ack', body: Grant | Ack, said?: Trusts): void {
    const trusts = said ?? this.#trusts.get(to.gatewayId)
    const { bootId, gatewayId, nonce, openingId, seq } = to
    const header = {
      ...(openingId !== undefined && { openingId }),
      ...(nonce !== undefined && { nonce }),
      ...(bootId !== undefined && { bootId }),
      ...(seq !== undefined && { seq }),
    }
    const message = { type, gatewayId, ...header, body: JSON.stringify(body) }
    const sealed = this.#sealed.get(body) ?? seal(keyFor(this.#parts.signing(), trusts), message)
    this.#publish(gatewayId, type, sealed)
  }

  #publish(gatewayId: string, kind: 'hint' | 'grant' | 'ack', payload: string): void {
    if (this.#connection?.publish(topicOf(gatewayId, kind), payload))
      measured({ kind: 'message', direction: 'sent', type: kind })
    else this.#parts.world.log.warn('not sent: no connection to the broker', { gatewayId, kind })
  }
}
