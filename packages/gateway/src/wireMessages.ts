// The messages that a gateway sends: claims, reports and beats, signed with its key.

import { type Beat, maxMessageBytes, type Report } from '@callgate/contract/wire/messages'
import { type SigningKey, seal } from '@callgate/contract/wire/signature'
import type { TaskKind, TaskReport } from '@callgate/contract/wire/tasks'
import type { ModemStatus } from '@callgate/modem/modem'
import { commit, version } from '@callgate/world/version'
import type { World } from '@callgate/world/world'
import type { CloudKeys } from './cloudKeys.ts'
import type { Claim } from './core/openerState.ts'
import { hearOfFacts, type ToldFacts, tellFacts } from './core/toldFacts.ts'
import type { BeatHead } from './core/wireState.ts'
import type { Journal } from './journal.ts'
import { modemFactsInBeat, modemInBeat } from './modemInBeat.ts'

export interface MessageParts {
  readonly world: World
  readonly gatewayId: string
  readonly signingKey: SigningKey
  readonly bootId: string
  /** Stands for the modem in a claim until its IMEI is known. */
  readonly portName: string
  readonly journal: Pick<Journal, 'journalId' | 'openings'>
  readonly cloudKeys: Pick<CloudKeys, 'trust'>
  readonly modemStatus: () => ModemStatus
  readonly queueLength: () => number
  /** The last granted call, for beats; undefined where there was none since the start. */
  readonly lastGrant: () => Beat['lastGrant']
  /** The kinds of tasks that the gateway can do. */
  readonly can: readonly TaskKind[]
  /** The state of updates for beats; absent where the cloud can ask for none. */
  readonly updateInBeat?: (() => Beat['update']) | undefined
}

/** A clock's time in the form for messages. */
export const wholeMs = (ms: number) => Math.max(0, Math.floor(ms))

/** The contents are the daemon's present state; each method returns the payload to publish. */
export class WireMessages {
  readonly #parts: MessageParts
  readonly #startedMs: number
  #told: ToldFacts | undefined

  constructor(parts: MessageParts) {
    this.#parts = parts
    this.#startedMs = parts.world.monotonicMs()
  }

  claim({ firstSentAt, nonce, openingId }: Claim): string {
    const { bootId, gatewayId, modemStatus, portName, signingKey } = this.#parts
    const modemId = (modemStatus().modemId ?? portName).slice(0, 64)
    const body = JSON.stringify({ modemId, sinceBootMs: wholeMs(firstSentAt.sinceBootMs) })
    return seal(signingKey, { type: 'claim', gatewayId, openingId, nonce, bootId, body })
  }

  /** A report that would be too large is sent without its evidence. */
  report(openingId: string, seq: number, report: Report): string {
    const payload = this.#report(openingId, seq, report)
    if (report.phase !== 'ended' || Buffer.byteLength(payload) <= maxMessageBytes) return payload
    this.#parts.world.log.error('the evidence of a call was too large to be sent', { openingId })
    return this.#report(openingId, seq, { ...report, evidence: null })
  }

  /** Handles the cloud's answer to the facts in the beat `seq`. */
  hearOfFacts(isKnown: boolean, seq: number | undefined): void {
    this.#told = hearOfFacts(this.#told, { isKnown, seq })
  }

  beat(head: BeatHead): string {
    const { connectionId, nonce, online, seq, takenUp } = head
    const { bootId, gatewayId, journal, modemStatus, queueLength, signingKey, world } = this.#parts
    const { facts, modemFacts } = this.#factsWith(head)
    const beat: Beat = {
      online,
      connectionId,
      journalId: journal.journalId,
      // A broker accepts only a small will from a client that it does not know yet. The cloud reads nothing from a will but that
      // the gateway is offline.
      toReport: online ? journal.openings().slice(0, 256) : [],
      version,
      uptimeS: Math.max(0, Math.floor((world.monotonicMs() - this.#startedMs) / 1000)),
      takenUp,
      sinceBootMs: wholeMs(world.sinceBootMs()),
      modem: { ...modemInBeat(modemStatus()), ...modemFacts },
      queueLength: queueLength(),
      ...facts,
    }
    const answers = nonce === undefined ? {} : { nonce }
    return seal(signingKey, { type: 'beat', gatewayId, ...answers, bootId, seq, body: JSON.stringify(beat) })
  }

  told(told: TaskReport): string {
    const { bootId, gatewayId, signingKey } = this.#parts
    return seal(signingKey, { type: 'told', gatewayId, bootId, body: JSON.stringify(told) })
  }

  /**
   * The facts for a beat. Where the cloud knows them, the beat only names the beat that carried them; a last beat carries them
   * all.
   */
  #factsWith({ connectionId, online, seq }: BeatHead) {
    const { can, cloudKeys, lastGrant, modemStatus, updateInBeat, world } = this.#parts
    const { keyIds, number } = cloudKeys.trust()
    const modemFacts = modemFactsInBeat(modemStatus())
    const rest = {
      commit,
      ...(can.length > 0 && { can: [...can] }),
      trusts: { number, keyIds: [...keyIds] },
    }
    if (!online) return { facts: rest, modemFacts }
    const update = updateInBeat?.()
    const granted = lastGrant()
    const told = { ...rest, ...(update && { update }), ...(granted && { lastGrant: granted }) }
    const facts = JSON.stringify([modemFacts, told])
    this.#told = tellFacts(this.#told, { connectionId, seq, facts, atMs: world.monotonicMs() })
    const { seq: toldBy } = this.#told
    return toldBy === seq
      ? { facts: { facts: toldBy, ...told }, modemFacts }
      : { facts: { facts: toldBy }, modemFacts: {} }
  }

  #report(openingId: string, seq: number, report: Report): string {
    const { bootId, gatewayId, signingKey } = this.#parts
    return seal(signingKey, {
      type: 'report',
      gatewayId,
      openingId,
      bootId,
      seq,
      body: JSON.stringify(report),
    })
  }
}
