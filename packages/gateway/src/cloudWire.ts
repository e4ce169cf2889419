// The gateway's end of MQTT: carries out the effects of the wire's core, and passes events to it.

import { readEnvelope } from '@callgate/contract/validate'
import type { Ack, DeclineReason, Envelope, KeyStatement, Report } from '@callgate/contract/wire/messages'
import { inOlderWords } from '@callgate/contract/wire/olderWords'
import type { TaskReport } from '@callgate/contract/wire/tasks'
import { downKinds, extraOf, neededOf, topicOf, type UpKind } from '@callgate/contract/wire/topics'
import type { MqttConnection, MqttHandlers, MqttOptions, Refusal } from '@callgate/mqtt/mqttConnection'
import { passed } from '@callgate/world/hops'
import { limitedLog } from '@callgate/world/limitedLog'
import type { World } from '@callgate/world/world'
import { Alarm } from './alarm.ts'
import type { CloudKeys } from './cloudKeys.ts'
import { cloudReader, type ReadMessage, type SignedGrant, type SignedTask } from './cloudReader.ts'
import type { Claim } from './core/openerState.ts'
import { stepWire } from './core/wire.ts'
import { lastBeat, type WireEffect, type WireEvent, type WireState, wireState } from './core/wireState.ts'
import type { Journal, Kept } from './journal.ts'
import { type MessageParts, WireMessages } from './wireMessages.ts'

/** Opens the connection that the wire describes, to a real or a simulated broker. */
export type Connect = (
  options: Required<Pick<MqttOptions, 'subscribe' | 'extra' | 'will'>>,
  handlers: MqttHandlers,
) => MqttConnection

export interface WireParts extends MessageParts {
  readonly cloudKeys: CloudKeys
  readonly journal: Journal
  readonly connect: Connect
  readonly onHint: (openingId: string) => void
  readonly onGrant: (grant: SignedGrant) => void
  readonly onTask: (task: SignedTask) => void
  /** Called when a beat with this number is sent. */
  readonly onBeat: (seq: number) => void
  /** Called when the cloud refuses this boot, now and later. */
  readonly onSuperseded: () => void
  /** Called when the cloud does not know this boot any more and will take up another one. */
  readonly onForgotten: () => void
}

/** The log text for each refusal. */
const refusals: Readonly<Record<Refusal['kind'], string>> = {
  network: 'the cloud cannot be reached; it is tried again',
  login: 'the broker does not let this gateway in; it is tried again. Check gatewayId and mqttPassword',
  topics: 'the broker does not let this gateway read its topics; it is tried again',
  authority:
    'the certificate of the broker is not of an authority that this gateway trusts; it is tried again. Check ca',
  name: 'the certificate of the broker is for another host; it is tried again. Check mqttUrl',
  expired:
    'the certificate of the broker is not valid today; it is tried again. Check the clock of this machine, then renew the certificate',
}

/** How many reports are sent at once; the cloud handles only so many of one gateway at the same time. */
const mostReportsAtOnce = 32
const flushWithinMs = 2_000
/** How long the broker may take to receive the goodbye; the other end may be dead. */
const goodbyeWithinMs = 1_000

const random128 = (world: World) => Buffer.from(world.randomBytes(16)).toString('base64url')

type EffectOf<Type extends WireEffect['type']> = Extract<WireEffect, { readonly type: Type }>

type Carrier = {
  readonly [Type in WireEffect['type']]: (effect: EffectOf<Type>) => void
}

export class CloudWire {
  readonly #parts: WireParts
  readonly #messages: WireMessages
  readonly #read: ReadMessage
  readonly #complain: (message: string) => void
  readonly #beatAlarm: Alarm
  readonly #resendAlarm: Alarm
  #state: WireState
  #connection: MqttConnection | undefined
  #problem: string | null = null
  #onFlushed: () => void = () => {}

  constructor(parts: WireParts) {
    const { bootId, journal, onGrant, onHint, onTask, world } = parts
    this.#parts = parts
    this.#messages = new WireMessages(parts)
    this.#complain = limitedLog(world)
    this.#state = wireState(bootId, random128(world))
    this.#beatAlarm = new Alarm(world, () => this.#tell({ type: 'beatDue' }))
    this.#resendAlarm = new Alarm(world, () => {
      this.#tell({ type: 'resendDue', waiting: journal.unacknowledged().length })
    })
    const ack = (header: Envelope, body: Ack) => this.#tell({ type: 'ack', header, ack: body })
    const keys = (statement: KeyStatement, signer: string) => void this.#followKeys(statement, signer)
    this.#read = cloudReader(parts, { hint: onHint, grant: onGrant, task: onTask, ack, keys })
  }

  start(): void {
    this.#dropOfFormerIdentity()
    const will = () => {
      this.#tell({ type: 'connecting', connectionId: random128(this.#parts.world) })
      return this.#lastBeat()
    }
    const topic = (kind: (typeof downKinds)[number]) => topicOf(this.#parts.gatewayId, kind)
    const topics = { subscribe: neededOf(downKinds).map(topic), extra: extraOf(downKinds).map(topic) }
    this.#connection = this.#parts.connect({ ...topics, will }, this.#handlers())
  }

  /** Sends the claim. Without a connection it is lost, and the opener sends it again. */
  claim(claim: Claim): void {
    this.#publish('claim', this.#messages.claim(claim))
  }

  /** Reports once that the opening cannot be served now. */
  decline(openingId: string, reason: DeclineReason): void {
    this.#tell({ type: 'decline', openingId, reason })
  }

  /** Sends the report until it is acknowledged, also after a restart. */
  report(openingId: string, report: Report): void {
    this.#tell({ type: 'report', openingId, report })
  }

  /** Reports how a task has ended. Without a connection the report is lost, and the cloud sends the task again. */
  tell(told: TaskReport): void {
    this.#publish('told', this.#messages.told(told))
  }

  /** Reports a change of the modem's status with a beat. */
  statusChanged(): void {
    this.#tell({ type: 'statusChanged' })
  }

  /**
   * The state of the connection to the cloud; `problem` is the last message of a broker or the network since the last connection.
   */
  status(): {
    readonly isConnected: boolean
    readonly isTakenUp: boolean
    readonly problem: string | null
  } {
    const { connection, status } = this.#state
    return {
      isConnected: connection.phase === 'online',
      isTakenUp: status.phase === 'taken_up',
      problem: this.#problem,
    }
  }

  /** Waits until every report is acknowledged, 2 s at most; then says goodbye, 1 s at most. */
  async close(): Promise<void> {
    await this.#flushed()
    this.#tell({ type: 'end' })
    const { world } = this.#parts
    const patience = new Promise<void>(resolve => world.after(goodbyeWithinMs, resolve))
    await this.#connection?.close(this.#lastBeat(), patience)
  }

  readonly #carrier: Carrier = {
    beat: ({ beat }) => {
      this.#publish('beat', this.#messages.beat(beat))
      this.#parts.onBeat(beat.seq)
    },
    decline: ({ openingId, reason, seq }) =>
      this.#publish('report', this.#messages.report(openingId, seq, { phase: 'declined', reason })),
    report: effect => this.#keepReport(effect),
    resend: () => this.#resend(),
    drop: ({ ack, header }) => this.#drop(header, ack),
    facts: ({ isKnown, seq }) => this.#messages.hearOfFacts(isKnown, seq),
    flushed: () => this.#onFlushed(),
    log: ({ what }) => this.#log(what),
    superseded: () => this.#parts.onSuperseded(),
    forgotten: () => this.#parts.onForgotten(),
  }

  #tell<Type extends WireEvent['type']>(event: WireEvent<Type>): void {
    const taken = stepWire(this.#state, event, this.#parts.world.monotonicMs())
    this.#state = taken.state
    for (const effect of taken.effects) this.#carryOut(effect)
    const { connection } = this.#state
    this.#beatAlarm.follow(connection.phase === 'online' ? connection.nextBeatMs : undefined)
    this.#resendAlarm.follow(connection.phase === 'online' ? connection.resendMs : undefined)
  }

  #carryOut<Type extends WireEffect['type']>(effect: EffectOf<Type>): void {
    const carry: (effect: EffectOf<Type>) => void = this.#carrier[effect.type]
    carry(effect)
  }

  #handlers(): MqttHandlers {
    const { journal, world } = this.#parts
    return {
      onConnect: () => {
        this.#problem = null
        this.#tell({ type: 'connected', waiting: journal.unacknowledged().length })
      },
      onDisconnect: () => this.#tell({ type: 'disconnected' }),
      // The refusal of a broker is not signed, so it never ends the daemon.
      onRefused: ({ kind, message: problem }) => {
        this.#problem = refusals[kind]
        world.log.error(refusals[kind], { problem })
      },
      onWithout: () =>
        world.log.warn('the broker does not let this gateway read its tasks: the cloud can ask it nothing'),
      onMessage: (topic, payload) => {
        const isOver = this.#state.connection.phase === 'ended'
        const wrong = isOver ? undefined : this.#read(topic, payload)
        if (wrong !== undefined) this.#complain(wrong)
      },
    }
  }

  /** Reports the new keys with a beat at once, so that the cloud may sign with them. */
  async #followKeys(statement: KeyStatement, signer: string): Promise<void> {
    if (await this.#parts.cloudKeys.follow(statement, signer)) this.statusChanged()
  }

  #publish(kind: UpKind, payload: string): void {
    this.#connection?.publish(topicOf(this.#parts.gatewayId, kind), payload)
  }

  #lastBeat(): { topic: string; payload: string } {
    const payload = this.#messages.beat(lastBeat(this.#state))
    return { topic: topicOf(this.#parts.gatewayId, 'beat'), payload }
  }

  #keepReport({ openingId, report, seq }: EffectOf<'report'>): void {
    const { bootId, journal } = this.#parts
    // A cloud that does not know a value in the report drops it whole. So the retries use values that older clouds know. They
    // have the same number, and a cloud applies whichever of the two it can read first.
    const kept = inOlderWords(report)
    const payload = this.#messages.report(openingId, seq, kept)
    const isFinal = report.phase === 'ended' || report.phase === 'not_dialled'
    // Sent without waiting for the disk. If the power fails in between, the daemon reports the opening as unknown after its
    // restart. By then the cloud has the true report, and refuses the unknown one.
    this.#publish('report', kept === report ? payload : this.#messages.report(openingId, seq, report))
    this.#logFailure(journal.keep({ openingId, bootId, seq, isFinal, payload }), openingId)
  }

  /** Sends the unacknowledged reports, oldest first. */
  #resend(): void {
    const { journal } = this.#parts
    // The cloud may not have these reports yet, so they must survive a restart.
    void journal.mend()
    const waiting = journal.unacknowledged().slice(0, mostReportsAtOnce)
    for (const report of waiting) this.#publish('report', report.payload)
  }

  /** Drops the report that the ack answers. There may be none: the ack answers a decline, or the report was dropped before. */
  #drop({ bootId, openingId, seq }: Envelope, { reason, result }: Ack): void {
    const { journal, world } = this.#parts
    const report = journal.unacknowledged().find(one => one.bootId === bootId && one.seq === seq)
    if (!report || report.openingId !== openingId) return
    if (report.isFinal) passed('acknowledged', { openingId })
    if (result === 'refused') world.log.warn('the cloud refuses a report', { openingId, reason })
    this.#logFailure(journal.acknowledge(report), report.openingId)
    this.#tell({ type: 'dropped', waiting: journal.unacknowledged().length })
  }

  #logFailure(kept: Promise<Kept>, openingId: string): void {
    const { log } = this.#parts.world
    void kept.then(result => {
      if (!result.ok) log.error('the journal could not be written', { openingId, problem: result.message })
    })
  }

  #log(what: EffectOf<'log'>['what']): void {
    const { bootId, world } = this.#parts
    if (what === 'connected') world.log.info('connected to the cloud')
    if (what === 'taken_up') world.log.info('the cloud has taken up this gateway', { bootId })
    if (what === 'lost') world.log.warn('the connection to the cloud is lost; it is tried again')
  }

  /**
   * Drops the reports of a former identity. A gateway that is enrolled again has a new one, from which the cloud rejects old
   * reports.
   */
  #dropOfFormerIdentity(): void {
    const { gatewayId, journal, world } = this.#parts
    for (const report of journal.unacknowledged()) {
      const envelope = readEnvelope(Buffer.from(report.payload))
      if (envelope.ok && envelope.value.gatewayId === gatewayId) continue
      world.log.warn('a report of a former identity of this gateway is dropped', {
        openingId: report.openingId,
      })
      this.#logFailure(journal.acknowledge(report), report.openingId)
    }
  }

  /** Resolves when nothing is unacknowledged, the connection is lost, or 2 s are over. */
  #flushed(): Promise<void> {
    const { journal, world } = this.#parts
    if (journal.unacknowledged().length === 0 || !this.#connection?.isConnected()) return Promise.resolve()
    return new Promise(resolve => {
      const timer = world.after(flushWithinMs, () => resolve())
      this.#onFlushed = () => {
        timer.cancel()
        resolve()
      }
    })
  }
}
