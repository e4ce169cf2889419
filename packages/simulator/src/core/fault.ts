// What can be wrong with the modem or the network it is on; nothing of it, and it is healthy.

export interface ModemFault {
  readonly summary: string
  /** The network does not take the modem: it stays searching, or is denied. */
  readonly registration?: 'searching' | 'denied'
  readonly sim?: 'locked' | 'absent'
  /** ATD is answered with this CME error. */
  readonly dialErrorCode?: number
  /** The OK to ATD comes so much later, while the call goes on. */
  readonly dialOkDelayMs?: number
  readonly hangUpMs?: number
  /** No `+CLCC` 3 and no `MO RING`, and a poll shows 2 until the answer. */
  readonly hidesAlerting?: boolean
  readonly losesClcc6?: boolean
  readonly losesEndToken?: boolean
  /** ATE0 is answered OK and changes nothing. */
  readonly keepsEcho?: boolean
  /** Unsolicited lines come between a reply's lines and its final result. */
  readonly urcInsideResponse?: boolean
  readonly doublesUrcs?: boolean
  /** After so many command lines it says nothing more until it is powered again. */
  readonly hangsAfterCommands?: number
  /** The supply breaks down so long after a call was placed: a warning, silence, a fresh start. */
  readonly brownoutAfterMs?: number
}
