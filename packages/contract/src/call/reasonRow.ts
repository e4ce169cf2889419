// What a row of the table of reasons says: all that follows from a reason but its words.

import type { CalibrationDoubt } from './calibrationWords.ts'
import type { ReasonWord } from './reason.ts'

/**
 * When another press can help. `another`: now, because another gateway is asked first then; all others pass by
 * themselves.
 */
export type Again = 'now' | 'tenSeconds' | 'moment' | 'minute' | 'another'

/** What an admin can do about a cause that does not pass by itself, or comes back. */
export type Remedy =
  | 'supply'
  | 'allowNumber'
  | 'hours'
  | 'cap'
  | 'access'
  | 'switchOnGate'
  | 'correctNumber'
  | 'callProfile'
  | 'gateModule'
  | 'gateway'
  | 'simCard'
  | 'credit'
  | 'barring'
  | 'look'

/** What somebody who stands at the gateway can do. The gateway has the words. */
export type InstallerAdvice =
  | 'network'
  | 'doctor'
  | 'otherCall'
  | 'simCard'
  | 'lineInUse'
  | 'supply'
  | 'busyNumber'
  | 'operator'
  | 'credit'
  | 'barring'
  | 'compareNumber'
  | 'moment'
  | 'moduleWorks'
  | 'moduleRings'
  | 'allowNumber'
  | 'lookAndCalibrate'
  | 'lookForVoicemail'
  | 'voicemail'
  | 'look'

/** What a guest is told where the press was denied, or the gate did not open. The guest's page has the words. */
export type GuestEnd =
  | 'off'
  | 'outside'
  | 'ended'
  | 'used'
  | 'noAccess'
  | 'notCalled'
  | 'deviceFault'
  | 'wrongNumber'
  | 'busy'
  | 'unreached'
  | 'noCredit'
  | 'barred'
  | 'noReaction'
  | 'unknown'

export interface ReasonRow {
  /**
   * How far the opening came. `denied`: the access, the member or the gate did not allow the press. `uncalled`: it was
   * allowed, and no call was placed. `called`: a call was placed, or may have been. `rang`: the gate was ringing.
   */
  readonly came: 'denied' | 'uncalled' | 'called' | 'rang'
  /** Null: another press ends in the same way until somebody changes something, or could reverse a moving gate. */
  readonly again: Again | null
  readonly remedy: Remedy | null
  /** `gateway`: its next call is likely to fail again, by its SIM card, its network or its modem, or it does not report. */
  readonly fault: 'gateway' | null
  /**
   * Whether a call left the modem. `refused`: where the verdict is certain, none did: the modem refused the command to dial.
   * `unheard`: where `opened` is unknown, the modem may not have answered: the command may still be in its port or buffer, or
   * its call may go on.
   */
  readonly modem: 'refused' | 'unheard' | null
  readonly guest: GuestEnd
  readonly installer: InstallerAdvice | null
  /** What the gate did with the ringing: it `rejected` the call, or did `nothing`, as where its module does not know the number. */
  readonly gate: 'rejected' | 'nothing' | null
  /** What such a call says against a measured profile. */
  readonly doubt: CalibrationDoubt | null
  /** What says it to a cloud that may be older than the word. Absent: every cloud that gateways have met knows the word. */
  readonly older?: ReasonWord
}
