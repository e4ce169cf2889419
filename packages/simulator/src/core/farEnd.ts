// What can be at the other end of a call: the way there, and the gate module that is called.

/** How the modem is told of an end: the token and the cause of 3GPP TS 24.008 that AT+CEER reports. */
export interface Ending {
  readonly token: 'BUSY' | 'NO CARRIER' | 'NO ANSWER'
  /** 0: no cause is reported. */
  readonly cause: number
}

/** What a gate module does with one kind of caller. */
export interface Reaction {
  /** `ring` acts without touching the call, `ignore` does not act; both let it ring. */
  readonly reaction: 'reject' | 'answer' | 'ring' | 'ignore'
  /** The programmed ring time before the reaction; absent: a usual one is drawn. */
  readonly ringMs?: number
  /** How long it stays on the line after an answer; absent: until the caller hangs up. */
  readonly holdMs?: number
  /** Whether the relay moves with the reaction. */
  readonly firesRelay: boolean
  /** How long the caller must stay after the reaction before the relay moves; absent: it moves with the reaction. */
  readonly stayMs?: number
  /** The gate is connected to output 1; output 2 opens nothing. Absent: 1. */
  readonly output?: 1 | 2
}

export type RelayMode = 'pulse' | 'toggle'

/** How a module tells its caller that it has operated the relay. */
export interface Confirmation {
  readonly by: 'sms' | 'call'
  readonly afterMs: number
  /** Absent: `Gate opened`. */
  readonly text?: string
}

/** What it does with a caller on its list, and its other settings. */
export interface ModuleBehaviour extends Reaction {
  /** Callers who are not on its list; absent: it lets them ring. */
  readonly strangers?: Reaction
  /** Callers who hide their number; absent: as those who are not on the list, or as everyone if there is no list. */
  readonly hidden?: Reaction
  /** What it does instead while a toggling relay is on. */
  readonly whenOn?: Reaction
  /** Absent: `pulse`. */
  readonly relay?: RelayMode
  /** Absent: 500 ms. */
  readonly pulseMs?: number
  /** How it looks a caller up in its list: as written, or by the last nine digits. Absent: `exact`. */
  readonly compares?: 'exact' | 'last9'
  readonly confirmation?: Confirmation
}

/** Durations are those of a normal network; the latencies' scale makes them shorter. */
export type FarEnd = {
  readonly summary: string
} & (
  | {
      /** The network ends the call itself, and the gate never rings. */
      readonly way: 'refused'
      readonly afterMs: number
      readonly ending: Ending
      /** The caller is told first that its calls are barred (`+CSSI: 5`). */
      readonly tellsBarring?: true
    }
  | {
      /** The network answers in the gate's place, says something and hangs up. */
      readonly way: 'announced'
      readonly afterMs: number
      readonly speaksMs: number
      readonly ending: Ending
    }
  | {
      readonly way: 'rings'
      readonly module: ModuleBehaviour
      /** What the caller is told when the module rejects. */
      readonly rejection: Ending
      /** The network gives up ringing; absent: after 60 s, on any network. */
      readonly ringLimitMs?: number
      /** What it then says; absent: NO ANSWER and its cause. */
      readonly givesUpWith?: Ending
      /** Unanswered calls are forwarded to a voicemail, which speaks for a while. */
      readonly voicemail?: { readonly afterMs: number; readonly speaksMs: number }
      /** Rejected calls are forwarded to a voicemail at once. */
      readonly divertsRejected?: { readonly speaksMs: number }
      /** The module is in another call and its SIM card has call waiting: the caller hears ringing, nobody answers. */
      readonly callWaiting?: true
      /** A second call is a violation: it would close what the first one opened. */
      readonly onlyOneCall?: true
    }
)
