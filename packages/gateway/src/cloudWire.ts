// The gateway's end of MQTT: hints, grants and acks come in; claims, reports and beats go out.

import { readEnvelope } from '@callgate/contract/validate'
import {
  type Ack,
  type Beat,
  type DeclineReason,
  type Envelope,
  maxMessageBytes,
  type Report,
} from '@callgate/contract/wire/messages'
import { type SigningKey, seal, type VerifyingKey } from '@callgate/contract/wire/signature'
import { type DownKind, downKinds, topicOf, type UpKind } from '@callgate/contract/wire/topics'
import type { ModemStatus } from '@callgate/modem/modem'
import type { MqttConnection, MqttHandlers, MqttOptions } from '@callgate/mqtt/mqttConnection'
import { limitedLog } from '@callgate/world/limitedLog'
import type { Timer, World } from '@callgate/world/world'
import { cloudReader, type SignedGrant } from './cloudReader.ts'
import type { Claim } from './core/openerState.ts'
import { beatSent, challenged, reconnected, takenUp, unknownToTheCloud } from './core/takingUp.ts'
import type { Journal, Kept } from './journal.ts'
import { modemInBeat } from './modemInBeat.ts'

/** Opens the connection that the wire describes: the real broker's, or a simulated one. */
export type Connect = (
  options: Required<Pick<MqttOptions, 'subscribe' | 'will'>>,
  handlers: MqttHandlers,
) => MqttConnection

export interface WireParts {
  readonly world: World
  readonly gatewayId: string
  readonly signingKey: SigningKey
  /** The pinned keys of the cloud. */
  readonly cloudKeys: readonly VerifyingKey[]
  readonly bootId: string
  readonly version: string
  /** What names the modem in a claim until its IMEI is known. */
  readonly portName: string
  readonly journal: Journal
  readonly connect: Connect
  readonly modemStatus: () => ModemStatus
  readonly queueLength: () => number
  readonly onHint: (openingId: string) => void
  readonly onGrant: (grant: SignedGrant) => void
  /** The cloud refuses this boot for ever. */
  readonly onSuperseded: () => void
  /** The cloud knows nothing of this boot any more, and will take up another one. */
  readonly onForgotten: () => void
}

export interface CloudWire {
  start(): void
  /** Sends the claim; lost when there is no connection, and then sent again by the opener. */
  claim(claim: Claim): void
  /** Says once that the opening cannot be served now. */
  decline(openingId: string, reason: DeclineReason): void
  /** Sends the report, and again until it is acknowledged, also after a restart. */
  report(openingId: string, report: Report): void
  /** The modem's condition has changed: a beat says so. */
  statusChanged(): void
  /** Waits until every report is acknowledged, 2 s at most; then says goodbye, 1 s at most. */
  close(): Promise<void>
}

/** From one sending of the reports to the next, while no ack comes. */
export const resendFirstMs = 2_000
export const resendLastMs = 30_000
/** Reports that are sent in one go; the cloud works on so many of one gateway at once. */
const mostReportsAtOnce = 32
/** At most one beat in this time, however often the status changes. */
const beatApartMs = 1_000
const flushWithinMs = 2_000
/** What the broker has to take the goodbye: there may be nobody at the other end. */
const lastWordsWithinMs = 1_000

const random128 = (world: World) => Buffer.from(world.randomBytes(16)).toString('base64url')

/** The clock as a message writes it. */
const wholeMs = (ms: number) => Math.max(0, Math.floor(ms))

export function createCloudWire(parts: WireParts): CloudWire {
  const { bootId, gatewayId, journal, signingKey, world } = parts
  const startedMs = world.monotonicMs()
  const complain = limitedLog(world)
  const topic = (kind: DownKind | UpKind) => topicOf(gatewayId, kind)
  let connection: MqttConnection | undefined
  let connectionId = random128(world)
  let seq = 0
  let standing = unknownToTheCloud
  let beatTimer: Timer | undefined
  let beatAtMs = Number.NEGATIVE_INFINITY
  let resendTimer: Timer | undefined
  let resendMs = resendFirstMs
  let onAcknowledged: () => void = () => {}
  let isClosed = false

  function publish(kind: UpKind, payload: string): boolean {
    return connection?.publish(topic(kind), payload) ?? false
  }

  function beatPayload(online: boolean): string {
    const beat: Beat = {
      online,
      connectionId,
      journalId: journal.journalId,
      // A will is part of what a broker takes before it knows us, which is little; nothing is read from it but the end.
      toReport: online ? journal.openings().slice(0, 256) : [],
      version: parts.version,
      uptimeS: Math.max(0, Math.floor((world.monotonicMs() - startedMs) / 1000)),
      takenUp: standing.takenUpAtSeq !== undefined,
      sinceBootMs: wholeMs(world.sinceBootMs()),
      modem: modemInBeat(parts.modemStatus()),
      queueLength: parts.queueLength(),
    }
    const body = JSON.stringify(beat)
    const answers = online && standing.nonce !== undefined ? { nonce: standing.nonce } : {}
    return seal(signingKey, { type: 'beat', gatewayId, ...answers, bootId, seq: ++seq, body })
  }

  function sendBeat() {
    beatTimer?.cancel()
    beatTimer = undefined
    if (isClosed || !connection?.isConnected()) return
    beatAtMs = world.monotonicMs()
    publish('beat', beatPayload(true))
    beatTimer = world.after(standing.beatInMs, sendBeat)
    standing = beatSent(standing)
  }

  /** Sends what was not acknowledged, oldest first. */
  function sendReports() {
    resendTimer?.cancel()
    resendTimer = undefined
    const waiting = journal.unacknowledged().slice(0, mostReportsAtOnce)
    if (isClosed || waiting.length === 0 || !connection?.isConnected()) return
    // What is said again is not known to the cloud: it has to outlive a restart.
    void journal.mend()
    for (const report of waiting) publish('report', report.payload)
    resendLater()
  }

  function resendLater() {
    if (resendTimer || isClosed) return
    resendTimer = world.after(resendMs, sendReports)
    resendMs = Math.min(resendLastMs, resendMs * 2)
  }

  function sealReport(openingId: string, number: number, report: Report): string {
    const sealed = (body: Report) =>
      seal(signingKey, {
        type: 'report',
        gatewayId,
        openingId,
        bootId,
        seq: number,
        body: JSON.stringify(body),
      })
    const payload = sealed(report)
    if (report.phase !== 'ended' || Buffer.byteLength(payload) <= maxMessageBytes) return payload
    world.log.error('the evidence of a call was too large to be sent', { openingId })
    return sealed({ ...report, evidence: null })
  }

  function settle(kept: Promise<Kept>, openingId: string) {
    void kept.then(result => {
      if (!result.ok)
        world.log.error('the journal could not be written', { openingId, problem: result.message })
    })
  }

  /** The answer to a beat of this boot. */
  function onBeatAck(result: 'challenge' | 'taken_up', { nonce, seq: ofSeq }: Envelope) {
    if (result === 'taken_up') {
      if (standing.takenUpAtSeq === undefined)
        world.log.info('the cloud has taken up this gateway', { bootId })
      standing = takenUp(standing, seq)
      return
    }
    if (nonce === undefined) return
    const { does, state } = challenged(standing, nonce, ofSeq)
    standing = state
    if (does === 'answer') sendBeat()
    if (does === 'forgotten') parts.onForgotten()
  }

  function onAck(header: Envelope, { reason, result }: Ack) {
    const { bootId: ofBoot, openingId, seq: ofSeq } = header
    // What answers a beat names no report, so this is asked first.
    if (result === 'refused' && reason === 'superseded' && ofBoot === bootId) return parts.onSuperseded()
    if (result === 'challenge' || result === 'taken_up')
      return ofBoot === bootId ? onBeatAck(result, header) : undefined
    const report = journal.unacknowledged().find(one => one.bootId === ofBoot && one.seq === ofSeq)
    // The ack of a decline, or one that was said twice.
    if (!report || report.openingId !== openingId) return
    if (result === 'refused') world.log.warn('the cloud refuses a report', { openingId, reason })
    settle(journal.acknowledge(report), report.openingId)
    if (journal.unacknowledged().length === 0) onAcknowledged()
    else if (resendMs > 2 * resendFirstMs) {
      // The cloud answers again, so the others need not wait out the long pause.
      resendTimer?.cancel()
      resendTimer = undefined
      resendMs = resendFirstMs
      resendLater()
    }
  }

  const read = cloudReader(parts, { hint: parts.onHint, grant: parts.onGrant, ack: onAck })
  const handlers: MqttHandlers = {
    onConnect() {
      if (isClosed) return
      world.log.info('connected to the cloud')
      standing = reconnected(standing)
      sendBeat()
      resendMs = resendFirstMs
      sendReports()
    },
    onDisconnect() {
      beatTimer?.cancel()
      resendTimer?.cancel()
      beatTimer = resendTimer = undefined
      onAcknowledged()
      if (!isClosed) world.log.warn('the connection to the cloud is lost; it is tried again')
    },
    onRefused: problem => world.log.error('the cloud cannot be reached; it is tried again', { problem }),
    onMessage(from, payload) {
      const wrong = isClosed ? undefined : read(from, payload)
      if (wrong !== undefined) complain(wrong)
    },
  }

  /** Whoever was enrolled anew has another identity, and the cloud takes no word from it of the one before. */
  function dropOfFormerIdentity() {
    for (const report of journal.unacknowledged()) {
      const envelope = readEnvelope(Buffer.from(report.payload))
      if (envelope.ok && envelope.value.gatewayId === gatewayId) continue
      world.log.warn('a report of a former identity of this gateway is dropped', {
        openingId: report.openingId,
      })
      settle(journal.acknowledge(report), report.openingId)
    }
  }

  /** Resolves when nothing is unacknowledged, the connection is lost, or 2 s are over. */
  function flushed(): Promise<void> {
    if (journal.unacknowledged().length === 0 || !connection?.isConnected()) return Promise.resolve()
    return new Promise(resolve => {
      const timer = world.after(flushWithinMs, () => resolve())
      onAcknowledged = () => {
        timer.cancel()
        resolve()
      }
    })
  }

  return {
    start() {
      dropOfFormerIdentity()
      const will = () => {
        connectionId = random128(world)
        return { topic: topic('beat'), payload: beatPayload(false) }
      }
      connection = parts.connect({ subscribe: downKinds.map(topic), will }, handlers)
    },
    claim({ firstSentAt, nonce, openingId }) {
      const modemId = (parts.modemStatus().modemId ?? parts.portName).slice(0, 64)
      const body = JSON.stringify({ modemId, sinceBootMs: wholeMs(firstSentAt.sinceBootMs) })
      publish('claim', seal(signingKey, { type: 'claim', gatewayId, openingId, nonce, bootId, body }))
    },
    decline(openingId, reason) {
      publish('report', sealReport(openingId, ++seq, { phase: 'declined', reason }))
    },
    report(openingId, report) {
      const number = ++seq
      const payload = sealReport(openingId, number, report)
      const isFinal = report.phase === 'ended' || report.phase === 'not_dialled'
      // Published without waiting for the disk: if the power fails between the two, the restart reports the opening as
      // unknown, and the cloud, which knows better by then, refuses that.
      publish('report', payload)
      settle(journal.keep({ openingId, bootId, seq: number, isFinal, payload }), openingId)
      resendLater()
    },
    statusChanged() {
      if (isClosed) return
      const sinceMs = world.monotonicMs() - beatAtMs
      if (sinceMs >= beatApartMs) return sendBeat()
      beatTimer?.cancel()
      beatTimer = world.after(beatApartMs - sinceMs, sendBeat)
    },
    async close() {
      await flushed()
      const lastWords = { topic: topic('beat'), payload: beatPayload(false) }
      isClosed = true
      beatTimer?.cancel()
      resendTimer?.cancel()
      await connection?.close(lastWords, new Promise(resolve => world.after(lastWordsWithinMs, resolve)))
    },
  }
}
