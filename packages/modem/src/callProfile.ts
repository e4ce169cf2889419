// Call profiles, verdicts and evidence as the driver knows them; in shape what the wire carries.

export type CallMode = 'reject' | 'reject_delayed' | 'answer_release' | 'answer_hold' | 'ring' | 'unverified'

/** How one gate's module takes a call. Durations are milliseconds. */
export interface CallProfile {
  readonly mode: CallMode
  /** `show_forced` and `hide` dial with `i` and `I`. */
  readonly callerId: 'show' | 'show_forced' | 'hide'
  /** From the OK of ATD to the first ringing. */
  readonly setupTimeoutMs: number
  /** Ringing after which the call is hung up. */
  readonly maxRingMs: number
  /** Mode ring: ringing after which the call counts and is hung up. */
  readonly ringHangupMs: number
  /** Mode reject_delayed: the programmed ring time. */
  readonly ringTimeMs: number | null
  /** The window of ringing in which this gate ends the call. */
  readonly reactMinMs: number
  readonly reactMaxMs: number
  /** Mode answer_hold: talk time before hanging up. */
  readonly holdMs: number
  /** Ringing after which an answer is taken for a voicemail. */
  readonly answerNotAfterMs: number | null
  /** This route never reports ringing. */
  readonly silentAlerting: boolean
  /** A rejected call ends in a voicemail although the gate opened. */
  readonly rejectDiverts: boolean
  /** Calibration saw this very gate open while the network said NO ANSWER; absent: it did not. */
  readonly noAnswerOpens?: boolean
  readonly coolDownMs: number
  /** The windows were measured at this gate. */
  readonly learned: boolean
  /** Opening and not opening leave different traces at this gate. */
  readonly discriminating: boolean
  /** The gate says by itself that it has opened. */
  readonly confirm?: Confirmation | null
}

/** A sign from the gate that it has opened. */
export interface Confirmation {
  /** A message (SMS) to this modem's SIM card, or a call back to it, which is refused. */
  readonly kind: 'sms' | 'callback'
  /** The number that it comes from, in any notation; null: the gate's own number. */
  readonly from: string | null
  /** What the message has to hold, whatever its case; null: any text. */
  readonly pattern: string | null
  /** From the end of the call; at most 20 s count, what comes later is no evidence of this call. */
  readonly withinMs: number
}

export type CallReason =
  | 'sim_error'
  | 'no_network'
  | 'line_in_use'
  | 'dial_no_response'
  | 'busy'
  | 'network_rejected'
  | 'bad_number'
  | 'congestion'
  | 'unreachable'
  | 'no_ringing'
  | 'rejected_after_ring'
  | 'rejected'
  | 'ended_too_early'
  | 'late_release'
  | 'rang_out'
  | 'rang'
  | 'no_reaction'
  | 'no_answer'
  | 'answered_unexpectedly'
  | 'rejected_to_voicemail'
  | 'answered_released'
  | 'answered'
  | 'dropped'
  | 'voicemail_suspected'
  | 'cancelled'
  | 'modem_lost'
  | 'modem_lost_after_ring'
  | 'outcome_unknown'
  | 'confirmed'

export type Confidence = 'certain' | 'likely' | 'assumed' | 'unknown'

/** What a call's evidence says. */
export interface Verdict {
  status: 'completed' | 'failed' | 'timeout'
  reason: CallReason
  confidence: Confidence
  /** Whether the gate moved, as far as the call can tell. */
  opened: 'yes' | 'likely' | 'no' | 'unknown'
  safeToRetry: boolean
  /** 3GPP TS 24.008 cause, from AT+CEER. */
  cause: number | null
  endToken: string | null
  /** From ATD to ringing or an answer. */
  setupMs: number | null
  ringMs: number | null
  talkMs: number | null
  /** The signals that the verdict rests on, at most 16. */
  witnesses: string[]
}

/** The timed trace of one call, phone numbers masked: at most 128 events and 16 KiB as JSON. */
export interface CallEvidence {
  /** Model and firmware. */
  modem: string | null
  operator: string | null
  signalDbm: number | null
  /** `atMs` counts from the writing of ATD. */
  events: { atMs: number; event: string }[]
}
