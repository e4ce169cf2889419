// One row for each reason: all that follows from it but its words. Without schemas, for the browser.

import type { ReasonWord } from './reason.ts'
import type { GuestEnd, ReasonRow, Remedy } from './reasonRow.ts'

/** No gate was ringing, so none has done anything. */
const unrung = { gate: null, doubt: null } as const

const denied = (remedy: Remedy, guest: GuestEnd): ReasonRow => ({
  came: 'denied',
  again: null,
  remedy,
  fault: null,
  modem: null,
  guest,
  installer: null,
  ...unrung,
})

const uncalled = (row: Omit<ReasonRow, 'came' | 'gate' | 'doubt'>): ReasonRow => ({
  came: 'uncalled',
  ...row,
  ...unrung,
})

/** Nothing is said of the modem or its gateway. */
const unasked = (row: Pick<ReasonRow, 'again' | 'remedy' | 'guest'>): ReasonRow =>
  uncalled({ ...row, fault: null, modem: null, installer: null })

const called = (row: Omit<ReasonRow, 'came' | 'gate' | 'doubt'>): ReasonRow => ({
  came: 'called',
  ...row,
  ...unrung,
})

/** Another call could reverse a gate that was ringing. */
const rang = (row: Pick<ReasonRow, 'remedy' | 'installer' | 'gate' | 'doubt'>): ReasonRow => ({
  came: 'rang',
  again: null,
  fault: null,
  modem: null,
  guest: 'noReaction',
  ...row,
})

/** The gate took the call. */
const taken = rang({ remedy: null, installer: null, gate: null, doubt: null })

/** In the order of the reasons. */
export const reasonRows: Readonly<Record<ReasonWord, ReasonRow>> = {
  gate_inactive: denied('switchOnGate', 'off'),
  locked_down: { ...denied('endLockDown', 'lockedDown'), older: 'gate_inactive' },
  gateway_offline: unasked({ again: 'minute', remedy: 'gateway', guest: 'notCalled' }),
  modem_busy: uncalled({
    again: 'moment',
    remedy: null,
    fault: null,
    modem: null,
    guest: 'notCalled',
    installer: 'otherCall',
  }),
  modem_not_ready: uncalled({
    again: 'minute',
    remedy: 'gateway',
    fault: null,
    modem: null,
    guest: 'notCalled',
    installer: 'doctor',
  }),
  no_network: uncalled({
    again: 'minute',
    remedy: 'gateway',
    fault: 'gateway',
    modem: 'refused',
    guest: 'notCalled',
    installer: 'network',
  }),
  not_dialled: unasked({ again: 'now', remedy: null, guest: 'notCalled' }),
  interrupted: unasked({ again: 'now', remedy: null, guest: 'notCalled' }),
  outside_schedule: denied('hours', 'outside'),
  access_ended: denied('hours', 'ended'),
  usage_exhausted: denied('cap', 'used'),
  access_inactive: denied('access', 'noAccess'),
  access_revoked: denied('access', 'noAccess'),
  permission_lost: denied('access', 'noAccess'),
  number_not_allowed: unasked({ again: null, remedy: 'correctNumber', guest: 'wrongNumber' }),
  number_changed: unasked({ again: 'now', remedy: null, guest: 'notCalled' }),
  number_in_use: unasked({ again: 'moment', remedy: null, guest: 'notCalled' }),
  sim_error: uncalled({
    again: 'another',
    remedy: 'simCard',
    fault: 'gateway',
    modem: 'refused',
    guest: 'deviceFault',
    installer: 'simCard',
  }),
  line_in_use: uncalled({
    again: 'moment',
    remedy: null,
    fault: null,
    modem: 'refused',
    guest: 'notCalled',
    installer: 'lineInUse',
  }),
  dial_no_response: called({
    again: null,
    remedy: 'gateway',
    fault: 'gateway',
    modem: 'unheard',
    guest: 'unknown',
    installer: 'supply',
  }),
  busy: called({
    again: 'tenSeconds',
    remedy: null,
    fault: null,
    modem: null,
    guest: 'busy',
    installer: 'busyNumber',
  }),
  network_rejected: called({
    again: 'another',
    remedy: 'credit',
    fault: 'gateway',
    modem: 'refused',
    guest: 'unreached',
    installer: 'operator',
  }),
  no_credit: {
    ...called({
      again: 'another',
      remedy: 'credit',
      fault: 'gateway',
      modem: 'refused',
      guest: 'noCredit',
      installer: 'credit',
    }),
    older: 'network_rejected',
  },
  calls_barred: {
    ...called({
      again: 'another',
      remedy: 'barring',
      fault: 'gateway',
      modem: 'refused',
      guest: 'barred',
      installer: 'barring',
    }),
    older: 'network_rejected',
  },
  // Not among those that the modem refused: with certainty the network says it too, of a call that has left the modem.
  bad_number: called({
    again: null,
    remedy: 'correctNumber',
    fault: null,
    modem: null,
    guest: 'wrongNumber',
    installer: 'compareNumber',
  }),
  congestion: called({
    again: 'moment',
    remedy: null,
    fault: null,
    modem: null,
    guest: 'busy',
    installer: 'moment',
  }),
  unreachable: called({
    again: null,
    remedy: 'gateModule',
    fault: null,
    modem: null,
    guest: 'unreached',
    installer: 'moduleWorks',
  }),
  no_ringing: called({
    again: null,
    remedy: 'gateModule',
    fault: null,
    modem: null,
    guest: 'unreached',
    installer: 'moduleRings',
  }),
  rejected_after_ring: { ...taken, gate: 'rejected' },
  rejected: rang({
    remedy: 'allowNumber',
    installer: 'allowNumber',
    gate: 'rejected',
    doubt: 'other_times',
  }),
  ended_too_early: rang({
    remedy: 'callProfile',
    installer: 'lookAndCalibrate',
    gate: 'rejected',
    doubt: 'other_times',
  }),
  late_release: rang({
    remedy: 'callProfile',
    installer: 'lookAndCalibrate',
    gate: 'rejected',
    doubt: 'other_times',
  }),
  rang_out: rang({ remedy: 'allowNumber', installer: 'allowNumber', gate: null, doubt: null }),
  rang: taken,
  no_reaction: rang({ remedy: 'allowNumber', installer: 'allowNumber', gate: 'nothing', doubt: null }),
  no_answer: rang({ remedy: 'allowNumber', installer: 'allowNumber', gate: 'nothing', doubt: null }),
  answered_unexpectedly: rang({
    remedy: 'callProfile',
    installer: 'lookForVoicemail',
    gate: null,
    doubt: 'answers_now',
  }),
  rejected_to_voicemail: taken,
  answered_released: taken,
  answered: taken,
  confirmed: taken,
  dropped: rang({ remedy: 'allowNumber', installer: 'allowNumber', gate: null, doubt: 'other_times' }),
  voicemail_suspected: rang({
    remedy: 'correctNumber',
    installer: 'voicemail',
    gate: null,
    doubt: 'other_times',
  }),
  cancelled: called({
    again: null,
    remedy: null,
    fault: null,
    modem: null,
    guest: 'noReaction',
    installer: null,
  }),
  modem_lost: called({
    again: 'minute',
    remedy: 'supply',
    fault: 'gateway',
    modem: 'unheard',
    guest: 'notCalled',
    installer: 'supply',
  }),
  modem_lost_after_ring: {
    ...rang({ remedy: 'supply', installer: 'supply', gate: null, doubt: null }),
    fault: 'gateway',
    modem: 'unheard',
    guest: 'unknown',
  },
  outcome_unknown: called({
    again: null,
    remedy: 'look',
    fault: null,
    modem: 'unheard',
    guest: 'unknown',
    installer: 'look',
  }),
  no_report: called({
    again: null,
    remedy: 'gateway',
    fault: 'gateway',
    modem: null,
    guest: 'unknown',
    installer: null,
  }),
}

/** Whether a word is a reason of this version: a newer cloud may have more. */
export function isKnownReason(word: string): word is ReasonWord {
  return Object.hasOwn(reasonRows, word)
}

/** The row of a word, where it is a reason of this version. */
export const rowOf = (word: string | null): ReasonRow | undefined =>
  word !== null && isKnownReason(word) ? reasonRows[word] : undefined
