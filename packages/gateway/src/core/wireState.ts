// The types of the wire: the state of a boot's connection to the cloud, its events and its effects.

import type { Ack, DeclineReason, Envelope, Report } from '@callgate/contract/wire/messages'

/** From one sending of the reports to the next, while no ack comes: at first, and at most. */
export const resendFirstMs = 2_000
export const resendLastMs = 30_000
/** At most one beat in this time, however often the modem's status changes. */
export const beatApartMs = 1_000

/**
 * Whether the cloud has taken up this boot: it does so once, after a beat has answered its challenge. A lost connection
 * changes nothing about it.
 */
export type WireStatus =
  | { readonly phase: 'not_taken_up' }
  /** Every beat carries the nonce. */
  | { readonly phase: 'challenged'; readonly nonce: string }
  /** `lastSeq` is the last number that was used before the boot knew that it is taken up. */
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
      /** When the reports are sent again; undefined: that is not planned. */
      readonly resendMs: number | undefined
      /** The pause before the sending that is planned next. */
      readonly resendPauseMs: number
    }
  /** The daemon stops: messages are ignored, and no timer runs. */
  | { readonly phase: 'ended' }

export type Online = Connection & { readonly phase: 'online' }

export interface WireState {
  readonly bootId: string
  /** Names the present connection, or the last one. */
  readonly connectionId: string
  /** The number of the last beat or report of this boot. */
  readonly seq: number
  readonly status: WireStatus
  readonly connection: Connection
}

/** What a beat says of the wire itself. */
export interface BeatHead {
  readonly seq: number
  readonly connectionId: string
  readonly online: boolean
  readonly takenUp: boolean
  /** The challenge that it answers. */
  readonly nonce: string | undefined
}

/** `waiting` is the number of reports that the cloud has not acknowledged. */
interface EventFields {
  /** A connection is being opened; its will takes a number. */
  connecting: { readonly connectionId: string }
  connected: { readonly waiting: number }
  disconnected: object
  beatDue: object
  resendDue: { readonly waiting: number }
  /** The modem's status is another one: a beat tells the cloud. */
  statusChanged: object
  report: { readonly openingId: string; readonly report: Report }
  decline: { readonly openingId: string; readonly reason: DeclineReason }
  /** An ack whose signature holds and that is for this gateway. */
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
  /** Send every report that waits once more. */
  | { readonly type: 'resend' }
  /** Drop the report that this ack answers, if there is one; answered by `dropped`. */
  | { readonly type: 'drop'; readonly header: Envelope; readonly ack: Ack }
  /** The cloud knows the facts that the beat `seq` has told, or wants to be told them. */
  | { readonly type: 'facts'; readonly isKnown: boolean; readonly seq: number | undefined }
  /** No ack is to be waited for: all have come, or the connection is lost. */
  | { readonly type: 'flushed' }
  | { readonly type: 'log'; readonly what: 'connected' | 'lost' | 'taken_up' }
  /** The cloud refuses this boot, now and later. */
  | { readonly type: 'superseded' }
  /** The cloud has lost a boot that it had taken up, as after its restore from a backup. */
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

/** The beat that says `online: false`: a connection's will, and the daemon's goodbye. */
export function lastBeat({ connectionId, seq, status }: WireState): BeatHead {
  return { seq, connectionId, online: false, takenUp: status.phase === 'taken_up', nonce: undefined }
}
