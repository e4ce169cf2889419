// The cloud's end of MQTT: checks who speaks, passes messages on (upMessages.ts), and sends hints, tasks and answers.

import { prepareToRead, readEnvelope } from '@callgate/contract/validate'
import type { Envelope, Grant } from '@callgate/contract/wire/messages'
import { isSignedBy, type VerifyingKey } from '@callgate/contract/wire/signature'
import type { Task } from '@callgate/contract/wire/tasks'
import { type DownKind, readUpTopic, topicOf, upKinds } from '@callgate/contract/wire/topics'
import type { MqttConnection, MqttHandlers } from '@callgate/mqtt/mqttConnection'
import { passed } from '@callgate/world/hops'
import { limitedLog } from '@callgate/world/limitedLog'
import { measured } from '@callgate/world/measures'
import { type Moment, moment, type World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import { type BrokerFault, sayBrokerFault } from '../gateway/brokerFaults.ts'
import { oldPrograms } from '../gateway/oldPrograms.ts'
import type { Exchange } from '../opening/exchange.ts'
import type { GatewayEndpoint, GrantedClaim } from '../opening/gatewayEndpoint.ts'
import type { SigningKeys } from '../secrets/signingKeys.ts'
import type { CurrentBoot, TaskEndpoint } from '../task/taskEndpoint.ts'
import { gatewayKeys } from './gatewayKeys.ts'
import { Listening } from './listening.ts'
import { createPresence, type Presence } from './presence.ts'
import { SignedMessages } from './signedMessages.ts'
import { type Arrival, type Listeners, UpMessages } from './upMessages.ts'

interface GatewayWireParts {
  readonly world: World
  readonly database: Database
  readonly signing: () => SigningKeys
  /** Reads a gateway's public key; `verifyingKey` by default. */
  readonly readKey?: (publicKey: string) => VerifyingKey | undefined
  /** Connects with the subscriptions of the cloud's account. */
  readonly connect: (handlers: MqttHandlers) => MqttConnection
}

/** How many messages of one gateway are handled at once. More are dropped, and the gateway sends them again. */
const mostAtOnce = 64

export class GatewayWire implements GatewayEndpoint, TaskEndpoint {
  readonly #parts: GatewayWireParts
  readonly #presence: Presence
  readonly #listening: Listening
  readonly #keyOf: ReturnType<typeof gatewayKeys>
  readonly #messages: SignedMessages
  readonly #up: UpMessages
  readonly #noteOld: ReturnType<typeof oldPrograms>
  /** How many messages of each gateway are being handled. */
  readonly #atWork = new Map<string, number>()
  readonly #complain: ReturnType<typeof limitedLog>
  readonly #fail: ReturnType<typeof limitedLog>
  #connection: MqttConnection | undefined
  #aside: Exchange['heartbeat']['aside'] | undefined
  #brokerFault: BrokerFault = 'start'

  constructor(parts: GatewayWireParts) {
    this.#parts = parts
    this.#presence = createPresence(parts.world)
    this.#listening = new Listening(parts.world)
    this.#keyOf = gatewayKeys(parts)
    this.#messages = new SignedMessages(parts.signing)
    this.#noteOld = oldPrograms(parts)
    this.#up = new UpMessages({
      world: parts.world,
      presence: this.#presence,
      listening: this.#listening,
      messages: this.#messages,
      publish: (gatewayId, kind, payload) => this.#publish(gatewayId, kind, payload),
    })
    this.#complain = limitedLog(parts.world)
    this.#fail = limitedLog(parts.world, 'error')
  }

  online(spaceId: string) {
    return this.#presence.online(spaceId)
  }

  ableToCall(spaceId: string) {
    return this.#presence.ableToCall(spaceId)
  }

  /** How many gateways of all Spaces are online. */
  onlineCount(): number {
    return this.#presence.count(gatewayId => this.#aside?.agoMs(gatewayId))
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

  currentBoot(gatewayId: string): CurrentBoot | undefined {
    return this.#up.currentBoot(gatewayId)
  }

  heard(): readonly string[] {
    return this.#up.heard()
  }

  ask(gatewayId: string, { bootId, seq }: CurrentBoot, task: Task): void {
    this.#publish(gatewayId, 'task', this.#messages.task({ gatewayId, bootId, seq }, task))
  }

  /** Connects, and passes the gateways' messages to `exchange`, and those on tasks and updates to the other two. */
  start(exchange: Exchange, tasks?: Listeners['tasks'], updates?: Listeners['updates']): void {
    const { log } = this.#parts.world
    this.#aside = exchange.heartbeat.aside
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
        void this.#caught(topic, this.#onMessage({ exchange, tasks, updates }, topic, payload))
      },
    })
    prepareToRead(upKinds)
  }

  isConnected(): boolean {
    return this.#connection?.isConnected() ?? false
  }

  /** Whether it has listened long enough to know which gateways are online. */
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
    const at = moment(this.#parts.world)
    const place = readUpTopic(topic)
    if (!place) return
    const { gatewayId, kind } = place
    measured({ kind: 'message', direction: 'received', type: kind })
    const drop = (why: string) => {
      measured({ kind: 'message', direction: 'dropped', type: kind })
      this.#complain('a message was dropped', { gatewayId, kind, why })
    }
    if (to.exchange.heartbeat.limits.isCutOff(gatewayId)) return drop('it is cut off')
    const busy = this.#atWork.get(gatewayId) ?? 0
    if (busy >= mostAtOnce) return drop('too many at once')
    const envelope = readEnvelope(payload)
    if (!envelope.ok) {
      drop(envelope.message)
      // The broker lets nobody else publish on this topic, and newer beats can be read: so this daemon is too old.
      if (kind === 'beat') await this.#noteOld(gatewayId, payload)
      return
    }
    const message = envelope.value
    if (message.gatewayId !== gatewayId || message.type !== kind) return drop('it belongs to another topic')
    const handle = (isKept: boolean) => this.#handle(to, message, { at, isKept }, drop)
    const { aside } = to.exchange.heartbeat
    if (kind === 'beat' && aside.keep(message, at, () => this.#caught(topic, handle(true)))) return
    this.#atWork.set(gatewayId, busy + 1)
    try {
      // Begun first, because beats count in the order in which they came.
      if (kind === 'beat') void aside.release(gatewayId)
      await handle(false)
    } finally {
      // Not tested: a gateway without a count; its message was counted above.
      const left = (this.#atWork.get(gatewayId) ?? 1) - 1
      if (left > 0) this.#atWork.set(gatewayId, left)
      else this.#atWork.delete(gatewayId)
    }
  }

  /** Checks the signature of a message, and passes it on. */
  async #handle(
    to: Listeners,
    envelope: Envelope,
    arrival: Arrival,
    drop: (why: string) => void,
  ): Promise<void> {
    const { gatewayId, openingId, type: kind } = envelope
    const key = await this.#keyOf(gatewayId)
    if (!key || !isSignedBy(envelope, [key])) return drop('its signature does not hold')
    if (kind === 'claim' || kind === 'report') passed(kind, { openingId })
    const fault = await this.#up.receive(envelope, to, arrival)
    if (fault) drop(fault)
    if (fault && kind === 'beat') await this.#noteOld(gatewayId, Buffer.from(JSON.stringify(envelope)))
  }

  /** Waits for the work on a message, which may fail. */
  async #caught(topic: string, work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) =>
      this.#fail('a message could not be worked on', { topic, error: String(error) }),
    )
  }

  #publish(gatewayId: string, kind: DownKind, payload: string): void {
    if (this.#connection?.publish(topicOf(gatewayId, kind), payload))
      measured({ kind: 'message', direction: 'sent', type: kind })
    else this.#parts.world.log.warn('not sent: no connection to the broker', { gatewayId, kind })
  }
}
