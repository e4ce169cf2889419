// The types of the wire: the state of a boot's connection to the cloud, its events and its effects.

import type { Ack, DeclineReason, Envelope, Report } from '@callgate/contract/wire/messages'

/** The pause between two sendings of the reports while no ack comes: the first one, and the longest one. */
export const resendFirstMs = 2_000
export const resendLastMs = 30_000
/** At most one beat is sent in this time, however often the modem's status changes. */
export const beatApartMs = 1_000

/**
 * Whether the cloud has taken up this boot. It does so once, after a beat has answered its challenge. A lost connection does not
 * change this.
 */
export type WireStatus =
  | { readonly phase: 'not_taken_up' }
  /** Every beat carries the nonce of the challenge. */
  | { readonly phase: 'challenged'; readonly nonce: string }
  /** `lastSeq` is the last number that was used before the boot learned that it is taken up. */
  | { readonly phase: 'taken_up'; readonly lastSeq: number }

/** The connection to the broker. Times are monotonic milliseconds. */
export type Connection =
  | { readonly phase: 'offline' }
  | {
      readonly phase: 'online'
      readonly lastBeatMs: number
      readonly nextBeatMs: number
      /** The pause after the next beat. */
      readonly beatPauseMs: number
      /** When the reports are sent again; undefined: not planned. */
      readonly resendMs: number | undefined
      /** The pause before the sending after the planned one. */
      readonly resendPauseMs: number
    }
  /** The daemon stops: messages are ignored, and no timer runs. */
  | { readonly phase: 'ended' }

export type Online = Connection & { readonly phase: 'online' }

export interface WireState {
  readonly bootId: string
  /** The id of the present connection, or of the last one. */
  readonly connectionId: string
  /** The number of the last beat or report of this boot. */
  readonly seq: number
  readonly status: WireStatus
  readonly connection: Connection
}

/** The fields of a beat that concern the wire itself. */
export interface BeatHead {
  readonly seq: number
  readonly connectionId: string
  readonly online: boolean
  readonly takenUp: boolean
  /** The nonce of the challenge that the beat answers. */
  readonly nonce: string | undefined
}

/** `waiting` is the number of unacknowledged reports. */
interface EventFields {
  /** A connection is being opened; its will takes a number. */
  connecting: { readonly connectionId: string }
  connected: { readonly waiting: number }
  disconnected: object
  beatDue: object
  resendDue: { readonly waiting: number }
  /** The modem's status has changed, which a beat reports. */
  statusChanged: object
  report: { readonly openingId: string; readonly report: Report }
  decline: { readonly openingId: string; readonly reason: DeclineReason }
  /** An ack with a valid signature, for this gateway. */
  ack: { readonly header: Envelope; readonly ack: Ack }
  /** A report was acknowledged and is dropped. */
  dropped: { readonly waiting: number }
  /** The daemon stops; its goodbye takes a number. */
  end: object
}

export type WireEventType = keyof EventFields
export type WireEvent<Type extends WireEventType = WireEventType> = {
  [T in Type]: { readonly type: T } & EventFields[T]
}[Type]

export type WireEffect =
  | { readonly type: 'beat'; readonly beat: BeatHead }
  /** Send the report, and keep it in the journal until it is acknowledged. */
  | { readonly type: 'report'; readonly seq: number; readonly openingId: string; readonly report: Report }
  | {
      readonly type: 'decline'
      readonly seq: number
      readonly openingId: string
      readonly reason: DeclineReason
    }
  /** Send every waiting report once more. */
  | { readonly type: 'resend' }
  /** Drop the report that this ack answers, if there is one; answered by `dropped`. */
  | { readonly type: 'drop'; readonly header: Envelope; readonly ack: Ack }
  /** The cloud knows the facts in the beat `seq`, or asks for them. */
  | { readonly type: 'facts'; readonly isKnown: boolean; readonly seq: number | undefined }
  /** No ack is expected any more: all have come, or the connection is lost. */
  | { readonly type: 'flushed' }
  | { readonly type: 'log'; readonly what: 'connected' | 'lost' | 'taken_up' }
  /** The cloud refuses this boot, now and later. */
  | { readonly type: 'superseded' }
  /** The cloud has lost a boot that it had taken up, for example because it was restored from a backup. */
  | { readonly type: 'forgotten' }

export interface WireStep {
  readonly state: WireState
  readonly effects: readonly WireEffect[]
}

export function wireState(bootId: string, connectionId: string): WireState {
  return {
    bootId,
    connectionId,
    seq: 0,
    status: { phase: 'not_taken_up' },
    connection: { phase: 'offline' },
  }
}

/** The beat with `online: false`: the will of a connection, and the daemon's goodbye. */
export function lastBeat({ connectionId, seq, status }: WireState): BeatHead {
  return { seq, connectionId, online: false, takenUp: status.phase === 'taken_up', nonce: undefined }
}
