// A row of the table of reasons: everything that follows from a reason, except its words.

import type { CalibrationDoubt } from './calibrationWords.ts'
import type { ReasonWord } from './reason.ts'

/** When another press can help. `another`: now, because it asks another gateway first; all others pass by themselves. */
export type Again = 'now' | 'tenSeconds' | 'moment' | 'minute' | 'another'

/** What an admin can do about a cause that does not pass by itself, or comes back. */
export type Remedy =
  | 'supply'
  | 'allowNumber'
  | 'hours'
  | 'cap'
  | 'access'
  | 'switchOnGate'
  | 'endLockDown'
  | 'correctNumber'
  | 'callProfile'
  | 'gateModule'
  | 'gateway'
  | 'simCard'
  | 'credit'
  | 'barring'
  | 'look'

/** The advice for a person at the gateway. The gateway has the words. */
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

/** The message for a guest whose press was denied, or whose gate did not open. The guest's page has the words. */
export type GuestEnd =
  | 'off'
  | 'lockedDown'
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
  /** Null: another press has the same end until somebody changes something, or could reverse a moving gate. */
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
  /**
   * The gate's reaction to the ringing: it `rejected` the call, or did `nothing`, for example because its module does not know
   * the number.
   */
  readonly gate: 'rejected' | 'nothing' | null
  /** The evidence of such a call against a measured profile. */
  readonly doubt: CalibrationDoubt | null
  /** The word for clouds that may not know this one yet. Absent: every cloud that gateways may meet knows the word. */
  readonly older?: ReasonWord
}
