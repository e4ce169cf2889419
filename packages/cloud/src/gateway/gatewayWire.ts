// The cloud's end of MQTT: checks who speaks, hands it to the exchange, and sends hints, grants and acks.

import { prepareToRead, readBody, readEnvelope } from '@callgate/contract/validate'
import type { Ack, Beat, Envelope, Grant } from '@callgate/contract/wire/messages'
import { isSignedBy, type VerifyingKey } from '@callgate/contract/wire/signature'
import type { Task } from '@callgate/contract/wire/tasks'
import { offlineAfterMs } from '@callgate/contract/wire/timing'
import { type DownKind, readUpTopic, topicOf, type UpKind, upKinds } from '@callgate/contract/wire/topics'
import type { MqttConnection, MqttHandlers } from '@callgate/mqtt/mqttConnection'
import { passed } from '@callgate/world/hops'
import { limitedLog } from '@callgate/world/limitedLog'
import { measured } from '@callgate/world/measures'
import { ageMs, type Moment, moment, type World } from '@callgate/world/world'
import { type Database, databaseTrouble } from '../database/database.ts'
import type { BeatAnswer } from '../opening/beats.ts'
import type { Exchange } from '../opening/exchange.ts'
import type { GatewayDoor, GrantedClaim } from '../opening/gatewayDoor.ts'
import type { SigningKeys } from '../secrets/signingKeys.ts'
import type { Standing, TaskDoor, TaskListener } from '../task/taskDoor.ts'
import { type BrokerFault, sayBrokerFault } from './brokerFaults.ts'
import { gatewayKeys } from './gatewayKeys.ts'
import { Listening } from './listening.ts'
import { createPresence, type Presence } from './presence.ts'
import { type Addressed, SignedMessages } from './signedMessages.ts'

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

/** What was wrong with a message; undefined where nothing was. */
type Fault = string | undefined

/** Who takes what gateways tell of updates of their programs; `updates.ts` is the real one. */
interface UpdateListener {
  told(gatewayId: string, spaceId: string, said: NonNullable<Beat['update']>): Promise<void>
}

interface Listeners {
  readonly exchange: Exchange
  readonly tasks: TaskListener | undefined
  readonly updates: UpdateListener | undefined
}

async function receiveTold(envelope: Envelope, tasks: TaskListener | undefined): Promise<Fault> {
  const { bootId, gatewayId } = envelope
  const body = readBody(envelope, 'told')
  if (!body.ok) return body.message
  if (!bootId) return 'it is told without bootId'
  await tasks?.told({ gatewayId, bootId, told: body.value })
  return undefined
}

export class GatewayWire implements GatewayDoor, TaskDoor {
  readonly #parts: Parts
  readonly #presence: Presence
  readonly #listening: Listening
  readonly #keyOf: ReturnType<typeof gatewayKeys>
  readonly #messages: SignedMessages
  /** The last beat of each gateway's current boot. */
  readonly #standings = new Map<string, Standing & { readonly at: Moment }>()
  /** How many messages of each gateway are worked on. */
  readonly #atWork = new Map<string, number>()
  readonly #complain: ReturnType<typeof limitedLog>
  #connection: MqttConnection | undefined
  #brokerFault: BrokerFault = 'start'

  constructor(parts: Parts) {
    this.#parts = parts
    this.#presence = createPresence(parts.world)
    this.#listening = new Listening(parts.world)
    this.#keyOf = gatewayKeys(parts)
    this.#messages = new SignedMessages(parts.signing)
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

  sign(grant: Grant, claim: GrantedClaim): string {
    return this.#messages.grantSignature(grant, claim)
  }

  standing(gatewayId: string): Standing | undefined {
    const last = this.#standings.get(gatewayId)
    return last && ageMs(this.#parts.world, last.at) < offlineAfterMs ? last : undefined
  }

  ask(gatewayId: string, { bootId, seq }: Standing, task: Task): void {
    this.#publish(gatewayId, 'task', this.#messages.task({ gatewayId, bootId, seq }, task))
  }

  /** Connects, and hands the gateways' messages to `exchange`, and what they tell of tasks and of updates to the others. */
  start(exchange: Exchange, tasks?: TaskListener, updates?: UpdateListener): void {
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
        this.#onMessage({ exchange, tasks, updates }, topic, payload).catch((error: unknown) =>
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

  async #onMessage(to: Listeners, topic: string, payload: Uint8Array): Promise<void> {
    const place = readUpTopic(topic)
    if (!place) return
    const { gatewayId, kind } = place
    measured({ kind: 'message', direction: 'received', type: kind })
    const drop = (why: string) => {
      measured({ kind: 'message', direction: 'dropped', type: kind })
      this.#complain('a message was dropped', { gatewayId, kind, why })
    }
    if (to.exchange.isCutOff(gatewayId)) return drop('it is cut off')
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
      if (kind === 'claim' || kind === 'report') passed(kind, { openingId: envelope.value.openingId })
      const fault = await this.#receive(kind, envelope.value, to)
      if (fault) drop(fault)
    } finally {
      // Not tested: a gateway without a count; its message was counted above.
      const left = (this.#atWork.get(gatewayId) ?? 1) - 1
      if (left > 0) this.#atWork.set(gatewayId, left)
      else this.#atWork.delete(gatewayId)
    }
  }

  #receive(kind: UpKind, envelope: Envelope, { exchange, tasks, updates }: Listeners): Promise<Fault> {
    if (kind === 'claim') return this.#receiveClaim(envelope, exchange)
    if (kind === 'report') return this.#receiveReport(envelope, exchange)
    if (kind === 'told') return receiveTold(envelope, tasks)
    return this.#receiveBeat(envelope, exchange, updates)
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

  async #receiveBeat(envelope: Envelope, exchange: Exchange, updates: Listeners['updates']): Promise<Fault> {
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
    if (answer.kind !== 'current') return undefined
    const { facts, spaceId } = answer
    const { update } = facts ?? body.value
    // Before the gateway hears that its facts are known: it does not repeat them then.
    if (update && isOnline) await updates?.told(gatewayId, spaceId, update)
    if (facts?.answer) this.#answer({ gatewayId, bootId, seq }, 'ack', { result: facts.answer })
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
    if (beat.online && (answer.kind === 'current' || answer.kind === 'heard')) {
      const { can = [], trusts } = answer.facts ?? beat
      this.#messages.noteTrusts(gatewayId, trusts)
      this.#standings.set(gatewayId, { bootId, seq, can, at })
      // It is told again until a beat says that it trusts them.
      const keys = answer.kind === 'current' ? this.#messages.keys(gatewayId, trusts) : undefined
      if (keys !== undefined) this.#publish(gatewayId, 'ack', keys)
    }
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

  #answer(to: Addressed, type: 'grant' | 'ack', body: Grant | Ack, said?: Beat['trusts']): void {
    this.#publish(to.gatewayId, type, this.#messages.answer(to, type, body, said))
  }

  #publish(gatewayId: string, kind: DownKind, payload: string): void {
    if (this.#connection?.publish(topicOf(gatewayId, kind), payload))
      measured({ kind: 'message', direction: 'sent', type: kind })
    else this.#parts.world.log.warn('not sent: no connection to the broker', { gatewayId, kind })
  }
}
