// The eight MQTT messages between the cloud and a gateway.

import Type, { type Static } from 'typebox'
import { CallProfile } from '../call/callProfile.ts'
import { ModemLack } from '../call/modemLack.ts'
import { ModemTrouble } from '../call/modemTrouble.ts'
import type { Reason } from '../call/reason.ts'
import { Evidence, Verdict } from '../call/verdict.ts'
import { GatewayId, OpeningId, Random128 } from '../ids.ts'
import { releaseArchitectures, UpdateOutcome } from '../releaseWords.ts'
import { closed, nullable, open, openWords, words } from '../text.ts'
import { taskKinds } from './tasks.ts'

/** Down, unsigned: an opening waits. A hint permits nothing. */
export const Hint = closed({ openingId: OpeningId })
export type Hint = Static<typeof Hint>

/** The largest MQTT payload that either side reads, in bytes. */
export const maxMessageBytes = 32 * 1024

export const signedTypes = ['claim', 'grant', 'report', 'ack', 'beat', 'task', 'told'] as const

const header = {
  keyId: Type.String({
    pattern: '^[0-9a-f]{16}$',
    description: 'Which key signed',
  }),
  gatewayId: GatewayId,
  openingId: Type.Optional(OpeningId),
  nonce: Type.Optional(Random128),
  bootId: Type.Optional(Random128),
  seq: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
}

/** A signed message on the wire. The body is text, so that exactly the signed bytes are read. */
export const Envelope = closed({
  type: words(signedTypes),
  ...header,
  body: Type.String({ maxLength: maxMessageBytes }),
  signature: Type.String({ pattern: '^[A-Za-z0-9_-]{86}$' }),
})
export type Envelope = Static<typeof Envelope>

const sinceBootMs = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: "The gateway's clock: since its machine booted, suspended time included, milliseconds",
})

/** Up: "I would dial now; may I?" The header names the opening, the nonce and the boot. */
export const Claim = closed({
  modemId: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'IMEI, or the name of the port',
  }),
  /** When the claim was first sent. A retransmission has the same value. */
  sinceBootMs,
})
export type Claim = Static<typeof Claim>

/** Down: the answer to one claim, for the claim's nonce and for no other use. */
export const Grant = Type.Union([
  closed({
    granted: Type.Literal(true),
    phoneNumber: Type.String({ pattern: '^\\+[1-9][0-9]{7,14}$' }),
    callProfile: CallProfile,
  }),
  closed({
    granted: Type.Literal(false),
    reason: words(['refused', 'expired', 'already_granted', 'superseded']),
  }),
])
export type Grant = Static<typeof Grant>

const sinceClaimMs = Type.Integer({
  minimum: 0,
  description: 'Since the claim was first sent, milliseconds',
})

/** Up: what happened to one opening. Header: opening, boot, seq. The cloud applies each number of a boot once. */
export const Report = Type.Union([
  closed({
    phase: Type.Literal('declined'),
    reason: words(['no_network', 'modem_busy', 'modem_not_ready']),
  }),
  closed({ phase: Type.Literal('not_dialled'), sinceClaimMs }),
  closed({ phase: Type.Literal('ringing'), sinceClaimMs }),
  closed({ phase: Type.Literal('answered'), sinceClaimMs }),
  closed({
    phase: Type.Literal('ended'),
    sinceClaimMs: nullable(sinceClaimMs),
    verdict: Verdict,
    evidence: nullable(Evidence),
  }),
])
export type Report = Static<typeof Report>

/** Whether a report is about a call. Then its gateway had a grant. */
export const tellsOfCall = ({ phase }: Report): boolean =>
  phase === 'ringing' || phase === 'answered' || phase === 'ended'

/**
 * Down: the answer to a report or a beat. Header: the boot and seq of the message that it answers; for a report also the
 * opening. The results mean:
 * - `applied`, `duplicate`: the database has the report. `refused`: the cloud will never store it, or has replaced the boot.
 * - `challenge`: the cloud does not know the boot. The boot serves once a beat contains the nonce of this header.
 * - `taken_up`: the cloud has received such a beat, and the boot serves.
 * - `facts_known`: the gateway need not repeat the facts of this beat. `facts_wanted`: the cloud does not know the facts that
 *   the beat refers to. Only gateways whose beats have `facts` get these two, since an older daemon does not know them.
 */
export const Ack = closed({
  result: words(['applied', 'duplicate', 'refused', 'challenge', 'taken_up', 'facts_known', 'facts_wanted']),
  reason: Type.Optional(words(['not_granted', 'superseded', 'final', 'unknown_opening'])),
})
export type Ack = Static<typeof Ack>

/**
 * Down, on the topic of the acks: the gateway must trust these keys of the cloud, oldest first, and no others. One of these
 * keys signs the statement. The gateway follows it only if its number is larger than the number of the last statement that it
 * followed. Only gateways whose beats have `trusts` get it, since an older daemon does not know it.
 */
export const KeyStatement = closed({
  result: Type.Literal('keys'),
  number: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  keys: Type.Array(Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }), { minItems: 1, maxItems: 2 }),
})
export type KeyStatement = Static<typeof KeyStatement>

/**
 * Up, every 10 s and as the last will: the gateway's condition. Header: boot, seq, and the nonce where the beat answers a
 * challenge. Only this message may have members that an older cloud does not know. That is safe, since a beat permits no call.
 * Otherwise a gateway that was updated before the cloud would show as offline and get no calls.
 */
export const Beat = open({
  online: Type.Boolean(),
  connectionId: Random128,
  journalId: Random128,
  toReport: Type.Array(OpeningId, {
    maxItems: 256,
    description: 'Openings that this gateway still has to report',
  }),
  version: Type.String({ maxLength: 32 }),
  uptimeS: Type.Integer({ minimum: 0 }),
  /** Whether the cloud has taken up this boot before. Then it is not a new boot, even where the cloud does not know it. */
  takenUp: Type.Optional(Type.Boolean()),
  /** When the beat was sent. An older daemon does not send this time. It shows as online, and gets no grant. */
  sinceBootMs: Type.Optional(sinceBootMs),
  modem: open({
    state: openWords(['starting', 'ready', 'calling', 'no_network', 'sim_error', 'lost']),
    model: nullable(Type.String({ maxLength: 64 })),
    operator: nullable(Type.String({ maxLength: 64 })),
    registration: openWords(['home', 'roaming', 'searching', 'denied', 'none', 'unknown']),
    signalDbm: nullable(Type.Integer({ minimum: -150, maximum: 0 })),
    voltageMv: nullable(Type.Integer({ minimum: 0, maximum: 20_000 })),
    trouble: Type.Optional(nullable(ModemTrouble)),
    /** The name of the modem's program; `lacks` is what the modem cannot do. An older daemon sends neither. */
    firmware: Type.Optional(nullable(Type.String({ maxLength: 64 }))),
    lacks: Type.Optional(Type.Array(ModemLack, { maxItems: 16 })),
  }),
  queueLength: Type.Integer({ minimum: 0 }),
  /**
   * The number of the beat of this boot that contains the facts: `commit`, `can`, `trusts`, `update`, `lastGrant`, and `firmware` and
   * `lacks` of the modem. A beat with its own number here contains all facts. A beat with an earlier number contains none,
   * and the facts have not changed since. Beats of an older daemon and last wills lack this number, and contain their facts.
   */
  facts: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  /** The commit that the program was made from. An older daemon does not send it. */
  commit: Type.Optional(Type.String({ maxLength: 32 })),
  /** The kinds of tasks that the gateway can do. An older daemon does not send this list, and can do none. */
  can: Type.Optional(Type.Array(openWords(taskKinds), { maxItems: 16 })),
  /** The machine, and how the last update ended. Absent from last wills, and where the daemon accepts no updates. */
  update: Type.Optional(
    open({ architecture: openWords(releaseArchitectures), last: Type.Optional(UpdateOutcome) }),
  ),
  /**
   * The last opening for which this boot was granted a call, and when. From it the cloud detects that its data has gone back.
   * Absent from last wills and from beats of an older daemon.
   */
  lastGrant: Type.Optional(open({ openingId: OpeningId, sinceBootMs })),
  /** The cloud's keys that the gateway trusts, oldest first, and the number of their statement. 0: from the configuration. */
  trusts: Type.Optional(
    open({
      number: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
      keyIds: Type.Array(Type.String({ pattern: '^[0-9a-f]{16}$' }), { minItems: 1, maxItems: 2 }),
    }),
  ),
})
export type Beat = Static<typeof Beat>

/** The reason words that a gateway may decline with. */
export type DeclineReason = Extract<Report, { phase: 'declined' }>['reason'] & Reason
