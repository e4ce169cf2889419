// The far end of a call: the route, and the gate module that is called.

/** How the modem learns of an end: the token, and the cause of 3GPP TS 24.008 that AT+CEER reports. */
export interface Ending {
  readonly token: 'BUSY' | 'NO CARRIER' | 'NO ANSWER'
  /** 0: no cause is reported. */
  readonly cause: number
}

/** How a gate module treats one kind of caller. */
export interface Reaction {
  /** `ring` acts without touching the call, `ignore` does not act; both let it ring. */
  readonly reaction: 'reject' | 'answer' | 'ring' | 'ignore'
  /** The programmed ring time before the reaction; absent: a typical one is drawn. */
  readonly ringMs?: number
  /** How long it stays on the line after an answer; absent: until the caller hangs up. */
  readonly holdMs?: number
  /** Whether the relay moves with the reaction. */
  readonly firesRelay: boolean
  /** How long the caller must stay after the reaction before the relay moves; absent: the relay moves with the reaction. */
  readonly stayMs?: number
  /** The gate is connected to output 1; output 2 opens nothing. Absent: 1. */
  readonly output?: 1 | 2
}

export type RelayMode = 'pulse' | 'toggle'

/** How a module confirms to its caller that it has operated the relay. */
export interface Confirmation {
  readonly by: 'sms' | 'call'
  readonly afterMs: number
  /** Absent: `Gate opened`. */
  readonly text?: string
}

/** How it treats a caller on its list, and its other settings. */
export interface ModuleBehaviour extends Reaction {
  /** How it treats callers who are not on its list; absent: it lets them ring. */
  readonly strangers?: Reaction
  /**
   * How it treats callers who hide their number; absent: as those who are not on the list, or as everyone if there is no list.
   */
  readonly hidden?: Reaction
  /** What it does instead while a toggling relay is on. */
  readonly whenOn?: Reaction
  /** Absent: `pulse`. */
  readonly relay?: RelayMode
  /** Absent: 500 ms. */
  readonly pulseMs?: number
  /** How it compares a caller with its list: exactly, or by the last nine digits. Absent: `exact`. */
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
      /** First the caller is told that its calls are barred (`+CSSI: 5`). */
      readonly tellsBarring?: true
    }
  | {
      /** The network answers in place of the gate, plays an announcement and hangs up. */
      readonly way: 'announced'
      readonly afterMs: number
      readonly speaksMs: number
      readonly ending: Ending
    }
  | {
      readonly way: 'rings'
      readonly module: ModuleBehaviour
      /** The signs that the caller gets when the module rejects. */
      readonly rejection: Ending
      /** The time after which the network stops ringing; absent: 60 s, on any network. */
      readonly ringLimitMs?: number
      /** The signs that the caller then gets; absent: NO ANSWER and its cause. */
      readonly givesUpWith?: Ending
      /** Unanswered calls are forwarded to a voicemail, which speaks for a while. */
      readonly voicemail?: { readonly afterMs: number; readonly speaksMs: number }
      /** Rejected calls are forwarded to a voicemail at once. */
      readonly divertsRejected?: { readonly speaksMs: number }
      /** The module is in another call and its SIM card has call waiting: the caller hears ringing, and nobody answers. */
      readonly callWaiting?: true
      /** A second call is a violation: it would close what the first one opened. */
      readonly onlyOneCall?: true
    }
)
