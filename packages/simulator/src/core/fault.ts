// The faults of the modem and its network: without any of them, the modem is healthy.

import type { Range } from './latency.ts'

export interface ModemFault {
  readonly summary: string
  /** The network does not accept the modem: it keeps searching, or is denied. */
  readonly registration?: 'searching' | 'denied'
  /** Registered for LTE alone: calls go over LTE (VoLTE), or there are none. */
  readonly calls?: 'overLteAlone' | 'none'
  /** The network begins with the call this much later: the modem falls back to 2G or 3G first. */
  readonly fallBackMs?: number
  readonly sim?: 'locked' | 'blocked' | 'absent'
  /** The result of a USSD code in place of its usual answer. */
  readonly ussd?: 'silent' | 'menu' | 'refused' | 'timedOut' | 'ucs2' | 'lines' | 'late' | 'cut'
  /** The network sends a text of its own while AT+CUSD waits for its OK. */
  readonly unaskedUssd?: true
  /** The network opens a menu by itself, 2 s after its answer to a code. */
  readonly opensMenu?: true
  /** AT+CUSD=1 with a code is carried out, and its OK never comes. */
  readonly losesUssdOk?: true
  /** No call is placed while a USSD session is open. */
  readonly ussdHoldsCalls?: true
  /**
   * The result of AT+CMGS: its prompt is lost or comes 8 s late, the network refuses the message, or it takes the message and the
   * answer is lost.
   */
  readonly sms?: 'noPrompt' | 'latePrompt' | 'refused' | 'lostOk'
  /** The first AT+CMGR of each message stays unanswered, or the SIM card is busy (314) for the first two. */
  readonly firstReads?: 'lost' | 'busy'
  /** The SIM's PIN is not the usual 1234. */
  readonly strangePin?: true
  /** ATD is answered with this CME error. */
  readonly dialErrorCode?: number
  /** How much later the OK to ATD comes, while the call goes on. */
  readonly dialOkDelayMs?: number
  readonly hangUpMs?: number
  /** ATH is answered OK and changes nothing; other ways to hang up work. */
  readonly ignoresAth?: true
  /** No `+CLCC` 3 and no `MO RING`, and a poll shows 2 until the answer. */
  readonly hidesAlerting?: boolean
  /** AT+CLCC answers OK and lists nothing, whatever calls there are. */
  readonly listsNothing?: true
  /** The first AT+CLCC of each call stays unanswered. */
  readonly losesFirstList?: true
  /** AT+CLCC lists a row that is no call, which nothing ends. */
  readonly leftoverRow?: true
  /** AT+CCALR? answers OK without a line. */
  readonly bareCallReady?: true
  readonly losesClcc6?: boolean
  readonly losesEndToken?: boolean
  /** The time between the signals of a call's end, in place of the usual gap; not scaled. */
  readonly endGapMs?: Range
  /** Ringing is reported as an answer, and a reject looks as if nobody answered: LTE modems that fall back to 2G. */
  readonly falseActive?: true
  /** A reject looks as if nobody answered; an answer is shown correctly. */
  readonly hidesReject?: true
  /** A NO CARRIER this long after the OK to ATD, while the call goes on, unless it already rings. */
  readonly earlyNoCarrierMs?: number
  /** ATE0 is answered OK and changes nothing. */
  readonly keepsEcho?: boolean
  /** The echo is on after every restart, whatever AT&W stored. */
  readonly echoAfterReset?: true
  /** The rate is never kept: no RDY, and silence after a restart until it has heard `AT` three times. */
  readonly autobaud?: true
  /** The two ends of the line run at different rates: neither reads what the other writes. */
  readonly garbles?: true
  /** Sends the bytes of a module that gets power (V1.09 1.4). */
  readonly bootGarbage?: true
  /** The module is off and its line floats: endless NULs, until it gets power again. */
  readonly nulFlood?: true
  /** Each byte arrives alone. */
  readonly writesBytes?: true
  /** Unsolicited lines come between a reply's lines and its final result. */
  readonly urcInsideResponse?: boolean
  /** Unsolicited lines come between the echo of a command and its reply. */
  readonly urcBeforeResponse?: true
  readonly doublesUrcs?: boolean
  /** Every reply waits for the next command or for 3 s, until the modem restarts. */
  readonly shiftsReplies?: true
  /** After this many command lines it answers nothing until it gets power again. */
  readonly hangsAfterCommands?: number
  /** The supply fails this long after a call was placed: a warning, silence, a restart. */
  readonly brownoutAfterMs?: number
  /** The voltage that AT+CBC reports during a call, in millivolts. */
  readonly sagsToMv?: number
  /** The network loses the modem this long after a call was placed, and takes it back. */
  readonly coverageLostAfterMs?: number
  /** The port disappears this long after a call was placed, and comes back under another name. */
  readonly unpluggedAfterMs?: number
  /** AT+CFUN=1,1 makes the port disappear and come back under another name. */
  readonly reenumeratesOnReset?: true
  /** A call comes in while ATD is carried out, whatever AT+GSMBUSY says. */
  readonly incomingOnDial?: true
  /** This long after a call was placed another comes in and waits behind it, whatever AT+GSMBUSY says. */
  readonly incomingWaitsAfterMs?: number
}
