// The one table of advice: after each reason, when another press can help, and what an admin can do about it.

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
  | 'look'

export interface Advice {
  readonly again?: Again
  readonly remedy?: Remedy
}

/** Without `again`, another press ends in the same way until somebody changes something, or could reverse a moving gate. */
const advices: Readonly<Record<ReasonWord, Advice>> = {
  gate_inactive: { remedy: 'switchOnGate' },
  gateway_offline: { again: 'minute', remedy: 'gateway' },
  modem_busy: { again: 'moment' },
  modem_not_ready: { again: 'minute', remedy: 'gateway' },
  no_network: { again: 'minute', remedy: 'gateway' },
  not_dialled: { again: 'now' },
  interrupted: { again: 'now' },
  outside_schedule: { remedy: 'hours' },
  access_ended: { remedy: 'hours' },
  usage_exhausted: { remedy: 'cap' },
  access_inactive: { remedy: 'access' },
  access_revoked: { remedy: 'access' },
  permission_lost: { remedy: 'access' },
  number_not_allowed: { remedy: 'correctNumber' },
  number_changed: { again: 'now' },
  number_in_use: { again: 'moment' },
  sim_error: { again: 'another', remedy: 'simCard' },
  line_in_use: { again: 'moment' },
  dial_no_response: { remedy: 'gateway' },
  busy: { again: 'tenSeconds' },
  network_rejected: { again: 'another', remedy: 'credit' },
  bad_number: { remedy: 'correctNumber' },
  congestion: { again: 'moment' },
  unreachable: { remedy: 'gateModule' },
  no_ringing: { remedy: 'gateModule' },
  rejected_after_ring: {},
  rejected: { remedy: 'allowNumber' },
  ended_too_early: { remedy: 'callProfile' },
  late_release: { remedy: 'callProfile' },
  rang_out: { remedy: 'allowNumber' },
  rang: {},
  no_reaction: { remedy: 'allowNumber' },
  no_answer: { remedy: 'allowNumber' },
  answered_unexpectedly: { remedy: 'callProfile' },
  rejected_to_voicemail: {},
  answered_released: {},
  answered: {},
  confirmed: {},
  dropped: { remedy: 'allowNumber' },
  voicemail_suspected: { remedy: 'correctNumber' },
  cancelled: {},
  modem_lost: { again: 'minute', remedy: 'supply' },
  modem_lost_after_ring: { remedy: 'supply' },
  outcome_unknown: { remedy: 'look' },
  no_report: { remedy: 'gateway' },
}

/** Whether a word is a reason of this version: a newer cloud may have more. */
export function isKnownReason(word: string): word is ReasonWord {
  return Object.hasOwn(advices, word)
}

/** Whether pressing again can help where another gateway is asked then. */
export function isHelpedByAnother(word: ReasonWord): boolean {
  return advices[word].again === 'another'
}

/** Whether pressing again within a minute can help, as far as the reason alone can tell. */
export function passesByItself(word: ReasonWord): boolean {
  return advices[word].again !== undefined && !isHelpedByAnother(word)
}

/** The advice after an opening. Another press is advised only where it is safe as well. */
export function adviceAfter(word: ReasonWord, safeToRetry: boolean): Advice {
  const { again, remedy } = advices[word]
  return { ...(safeToRetry && again && { again }), ...(remedy && { remedy }) }
}
