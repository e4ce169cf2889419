// Routes the gateways' messages by kind: claims and reports to the exchange, beats also to the presence.

import { readBody } from '@callgate/contract/validate'
import type { Ack, Beat, Envelope, Grant } from '@callgate/contract/wire/messages'
import { offlineAfterMs } from '@callgate/contract/wire/timing'
import type { DownKind } from '@callgate/contract/wire/topics'
import { ageMs, type Moment, type World } from '@callgate/world/world'
import { databaseTrouble } from '../database/database.ts'
import type { BeatAnswer } from '../heartbeat/beats.ts'
import type { Exchange } from '../opening/exchange.ts'
import type { CurrentBoot, TaskListener } from '../task/taskEndpoint.ts'
import type { Listening } from './listening.ts'
import type { Presence } from './presence.ts'
import type { Addressed, SignedMessages } from './signedMessages.ts'

/** The fault of a message; undefined where it has none. */
type Fault = string | undefined

/** Receives what gateways report of updates of their programs; `updates.ts` implements it. */
interface UpdateListener {
  told(gatewayId: string, spaceId: string, said: NonNullable<Beat['update']>): Promise<void>
}

export interface Listeners {
  readonly exchange: Exchange
  readonly tasks: TaskListener | undefined
  readonly updates: UpdateListener | undefined
}

/** When a message came, and whether it was kept since then (`beatsAside.ts`). */
export interface Arrival {
  readonly at: Moment
  readonly isKept: boolean
}

interface UpMessagesParts {
  readonly world: World
  readonly presence: Presence
  readonly listening: Listening
  readonly messages: SignedMessages
  readonly publish: (gatewayId: string, kind: DownKind, payload: string) => void
}

async function receiveTold(envelope: Envelope, tasks: TaskListener | undefined): Promise<Fault> {
  const { bootId, gatewayId } = envelope
  const body = readBody(envelope, 'told')
  if (!body.ok) return body.message
  if (!bootId) return 'it is told without bootId'
  await tasks?.told({ gatewayId, bootId, told: body.value })
  return undefined
}

export class UpMessages {
  readonly #parts: UpMessagesParts
  /** The last beat of each gateway's current boot. */
  readonly #standings = new Map<string, CurrentBoot & { readonly at: Moment }>()

  constructor(parts: UpMessagesParts) {
    this.#parts = parts
  }

  /** The boot of a gateway that is online, with its last beat. */
  currentBoot(gatewayId: string): CurrentBoot | undefined {
    const last = this.#standings.get(gatewayId)
    return last && ageMs(this.#parts.world, last.at) < offlineAfterMs ? last : undefined
  }

  /** The gateways of all Spaces that are online. */
  heard(): readonly string[] {
    return [...this.#standings.keys()].filter(gatewayId => this.currentBoot(gatewayId))
  }

  /** Passes a message with a valid signature on and answers it; returns the fault of the message. */
  receive(envelope: Envelope, to: Listeners, arrival: Arrival): Promise<Fault> {
    const { exchange, tasks } = to
    const { type: kind } = envelope
    if (kind === 'claim') return this.#receiveClaim(envelope, exchange)
    if (kind === 'report') return this.#receiveReport(envelope, exchange)
    if (kind === 'told') return receiveTold(envelope, tasks)
    return this.#receiveBeat(envelope, to, arrival)
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

  async #receiveBeat(
    envelope: Envelope,
    { exchange, updates }: Listeners,
    { at, isKept }: Arrival,
  ): Promise<Fault> {
    const { body: text, bootId, gatewayId, nonce, seq } = envelope
    const body = readBody(envelope, 'beat')
    if (!body.ok) return body.message
    if (!bootId || !seq) return 'a beat without bootId or seq'
    const { journalId, modem, online: isOnline, takenUp: wasTakenUp = false, toReport } = body.value
    const { registration, signalDbm, voltageMv: supplyMv } = modem
    const figures = { registration, signalDbm, supplyMv }
    const beat = { gatewayId, bootId, seq, isOnline, wasTakenUp, journalId, toReport, figures, body: text }
    // Before the query, which may hang: a gateway that sends beats all that time must not count as offline afterwards.
    const isKnown = this.#parts.presence.beatAgain({ gatewayId, bootId, seq }, body.value, at)
    const answer = await exchange.heartbeat
      .beat({ ...beat, ...(nonce !== undefined && { nonce }), ...(isKept && { keptSince: at }) })
      .catch((error: unknown) => {
        if (!isKnown && databaseTrouble(error) === 'unreachable') this.#parts.listening.miss()
        throw error
      })
    this.#follow(answer, { ...envelope, bootId, seq }, body.value, at)
    if (answer.kind !== 'current') return undefined
    const { facts, spaceId } = answer
    const { update } = facts ?? body.value
    // Before the gateway hears that its facts are known, because it does not repeat them then.
    if (update && isOnline) await updates?.told(gatewayId, spaceId, update)
    if (facts?.answer) this.#answer({ gatewayId, bootId, seq }, 'ack', { result: facts.answer })
    return undefined
  }

  /** Applies the exchange's answer to a beat to the presence of its gateway, and answers the gateway. */
  #follow(
    answer: BeatAnswer,
    envelope: Addressed & { readonly bootId: string; readonly seq: number },
    beat: Beat,
    at: Moment,
  ): void {
    const { bootId, gatewayId, nonce, seq } = envelope
    // An old or replayed beat names keys that were trusted once.
    if (beat.online && (answer.kind === 'current' || answer.kind === 'heard')) {
      const { can = [], trusts } = answer.facts ?? beat
      this.#parts.messages.noteTrusts(gatewayId, trusts)
      this.#standings.set(gatewayId, { bootId, seq, can, at })
      // The keys are announced again until a beat says that the gateway trusts them.
      const keys = answer.kind === 'current' ? this.#parts.messages.keys(gatewayId, trusts) : undefined
      if (keys !== undefined) this.#parts.publish(gatewayId, 'ack', keys)
    }
    const asked = answer.kind === 'challenge' && { gatewayId, bootId, seq, nonce: answer.nonce }
    if (asked) {
      this.#parts.presence.remove(gatewayId, bootId)
      this.#parts.messages.noteNamed(gatewayId, beat.trusts)
      this.#answer(asked, 'ack', { result: 'challenge' }, beat.trusts)
    } else if (answer.kind === 'current') {
      this.#parts.presence.beat({ gatewayId, bootId, seq, spaceId: answer.spaceId }, beat, at)
      // Sent for every beat with a nonce, because an earlier acknowledgement may be lost.
      if (nonce !== undefined) this.#answer(envelope, 'ack', { result: 'taken_up' })
    } else if (answer.kind === 'heard')
      this.#parts.presence.beat({ gatewayId, bootId, seq, spaceId: answer.spaceId }, beat, at)
    else if (answer.kind === 'old') {
      // A will is sealed before all beats of its connection, so its number is old.
      if (!beat.online)
        this.#parts.presence.beat({ gatewayId, bootId, seq, spaceId: answer.spaceId }, beat, at)
    } else {
      this.#parts.presence.remove(gatewayId, bootId)
      if (beat.online && answer.kind === 'refused')
        this.#answer(envelope, 'ack', { result: 'refused', reason: 'superseded' }, beat.trusts)
    }
  }

  #answer(to: Addressed, type: 'grant' | 'ack', body: Grant | Ack, said?: Beat['trusts']): void {
    this.#parts.publish(to.gatewayId, type, this.#parts.messages.answer(to, type, body, said))
  }
}
