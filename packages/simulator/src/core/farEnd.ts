// What can be at the other end of a call: the way there, and the gate module that is called.

/** How the modem is told of an end: the token and the cause of 3GPP TS 24.008 that AT+CEER reports. */
export interface Ending {
  readonly token: 'BUSY' | 'NO CARRIER' | 'NO ANSWER'
  readonly cause: number
}

/** What a gate module does with a caller that it serves; it ignores (lets ring) any other. */
export interface ModuleBehaviour {
  readonly reaction: 'reject' | 'answer' | 'ignore'
  /** The programmed ring time before the reaction; absent: a usual one is drawn. */
  readonly ringMs?: number
  /** How long it stays on the line after an answer; absent: until the caller hangs up. */
  readonly holdMs?: number
  /** Whether the relay moves with the reaction. */
  readonly firesRelay: boolean
}

/** Durations are those of a normal network; the latencies' scale makes them shorter. */
export type FarEnd = {
  readonly summary: string
} & (
  | {
      /** The network ends the call itself and the gate never hears of it. */
      readonly way: 'refused'
      readonly afterMs: number
      readonly ending: Ending
    }
  | {
      readonly way: 'rings'
      readonly module: ModuleBehaviour
      /** What the caller is told when the module rejects. */
      readonly rejection: Ending
      /** The network gives up ringing; absent: after 60 s, on any network. */
      readonly ringLimitMs?: number
      /** Unanswered calls are forwarded to a voicemail, which speaks for a while. */
      readonly voicemail?: { readonly afterMs: number; readonly speaksMs: number }
    }
)
