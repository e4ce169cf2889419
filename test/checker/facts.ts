// What has happened in a house, simulated or real, as plain data: all checks of the calls and their records read this type.

/** From one time to another, milliseconds. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** An opening, as the cloud has recorded it. */
export interface Opening {
  readonly id: string
  readonly spaceId: string
  readonly status: string
  readonly reason: string | null
  readonly opened: string | null
  readonly confidence: string | null
  readonly phoneNumber: string
  readonly grantNonce: string | null
  readonly gatewayId: string | null
  readonly bootId: string | null
  readonly joinedOpeningId: string | null
  /** 1 where another press may place another call at once. */
  readonly safeToRetry: number | null
  /** When the row was committed, and when it was granted. */
  readonly begunMs: number
  readonly grantedMs: number | null
  /** The time of the end in its row; undefined before the end, and where rows are dated by wall clocks that a test sets. */
  readonly recordedEndMs?: number
}

/**
 * An ATD that a gateway wrote, and the openings whose INTENT was on its disk then; undefined where the disk could not be read.
 */
export interface Dial {
  readonly gatewayId: string
  readonly phoneNumber: string
  readonly atMs: number
  readonly intents?: ReadonlySet<string>
}

/** An ATD that the modem read; `atMs` is when the gateway wrote it. */
export interface Call {
  readonly gatewayId: string
  readonly callId: number
  readonly phoneNumber: string
  readonly relayFired: boolean
  readonly outcome: string
  readonly atMs: number
  readonly readMs: number
  /** Undefined while the call lasts. */
  readonly endedAtMs?: number
  readonly isSleptOver: boolean
  /** The network ended the call, and the modem named neither a final word (such as NO CARRIER) nor a cause. Absent: not known. */
  readonly isEndUntold?: boolean
  /** The modem has not reported that it rings. Absent: not known. */
  readonly isRingingUntold?: boolean
}

/** A claim or a report, as its gateway sent it. */
export interface SentMessage {
  readonly kind: 'claim' | 'report'
  readonly atMs: number
  readonly gatewayId: string
  readonly openingId: string | undefined
  readonly bootId: string | undefined
  readonly nonce: string | undefined
  /** Only in a report. */
  readonly phase: string | undefined
  /** Only in a verdict. */
  readonly reason: string | undefined
  readonly opened: string | undefined
}

/** A start of a gateway's daemon, the death of the daemon before it, and what that one left on the disk. */
export interface GatewayStart {
  readonly atMs: number
  readonly diedMs: number
  readonly leftover: string
}

export interface GatewayFacts {
  readonly gatewayId: string
  readonly spaceId: string
  /** When it could not hang up: its daemon was dead or stopped, or its modem had a fault. */
  readonly couldNotHangUp: readonly Span[]
  readonly starts: readonly GatewayStart[]
  readonly badDisk: readonly Span[]
  /** When its machine stalled, together with its clocks. */
  readonly stood: readonly Span[]
  /** When its modem stalled: bytes that were written then were read at the end. */
  readonly modemStood: readonly Span[]
  /** When the serial line lost output of the modem. */
  readonly lostReplies: readonly number[]
  /** Whether its modem reports the progress of a call by itself. Other modems report it only when asked. */
  readonly reportsCalls: boolean
  /** Bytes that it wrote to the modem and must never write. */
  readonly violations: readonly { readonly atMs: number; readonly violation: string }[]
}

/** Times are milliseconds by one clock. */
export interface Facts {
  /** Now; Infinity where every call must be over. */
  readonly atMs: number
  /** The number of presses that the cloud received. */
  readonly presses: number
  readonly rows: readonly Opening[]
  /** The openings that a client got an answer for, with the time at which the cloud received the press. */
  readonly accepted: readonly { readonly openingId: string; readonly pressedMs: number }[]
  /** The openings that were made for each Idempotency-Key, including those whose transaction was rolled back. */
  readonly keyed: readonly { readonly key: string; readonly openingId: string }[]
  /** When each opening ended, by its id. */
  readonly ends: ReadonlyMap<string, number>
  readonly dials: readonly Dial[]
  readonly calls: readonly Call[]
  readonly sent: readonly SentMessage[]
  readonly gateways: readonly GatewayFacts[]
  /** When the cloud's machine stalled. */
  readonly stood: readonly Span[]
  /** When the cloud's wall clock was set to another time. */
  readonly clockSetMs: readonly number[]
  /** When the clock of a database that several clouds share was set back. */
  readonly databaseSetBackMs: readonly number[]
  /**
   * With several clouds: since when the cloud that took the press of each opening had run without a stall, by the opening's id.
   */
  readonly cloudBegunMs?: ReadonlyMap<string, number>
  /** The largest share by which the clock of a machine was too fast or too slow. */
  readonly drift: number
  /** The longest time between an event and its entry here. */
  readonly marginMs: number
  /** Every gate has a relay and reports its movements, so even what a verdict assumes must be true. */
  readonly gatesTellAll: boolean
}
