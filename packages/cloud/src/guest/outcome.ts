// What an ending means for a guest: the reasons as the few outcomes that change what the guest does next.

import type { Standing } from '@callgate/contract/app/member'
import { type Again, adviceAfter, isHelpedByAnother, passesByItself } from '@callgate/contract/call/advice'
import type { ReasonWord } from '@callgate/contract/call/reason'
import type { Ending } from '../core/opening.ts'
import type { Outcome } from './texts/texts.ts'

/** The outcome of each reason where the press was denied or `opened` is `no`. The other reasons only complete the type. */
const byReason: Readonly<Record<ReasonWord, Outcome>> = {
  gate_inactive: 'off',
  outside_schedule: 'outside',
  access_ended: 'ended',
  usage_exhausted: 'used',
  access_inactive: 'noAccess',
  access_revoked: 'noAccess',
  permission_lost: 'noAccess',
  gateway_offline: 'notCalled',
  modem_busy: 'notCalled',
  modem_not_ready: 'notCalled',
  no_network: 'notCalled',
  not_dialled: 'notCalled',
  interrupted: 'notCalled',
  number_changed: 'notCalled',
  number_in_use: 'notCalled',
  number_not_allowed: 'wrongNumber',
  sim_error: 'deviceFault',
  line_in_use: 'notCalled',
  modem_lost: 'notCalled',
  busy: 'busy',
  congestion: 'busy',
  network_rejected: 'unreached',
  bad_number: 'wrongNumber',
  unreachable: 'unreached',
  no_ringing: 'unreached',
  rejected: 'noReaction',
  rang_out: 'noReaction',
  rang: 'noReaction',
  no_reaction: 'noReaction',
  no_answer: 'noReaction',
  answered_unexpectedly: 'noReaction',
  rejected_after_ring: 'noReaction',
  rejected_to_voicemail: 'noReaction',
  answered_released: 'noReaction',
  answered: 'noReaction',
  confirmed: 'noReaction',
  dropped: 'noReaction',
  voicemail_suspected: 'noReaction',
  ended_too_early: 'noReaction',
  late_release: 'noReaction',
  cancelled: 'noReaction',
  dial_no_response: 'unknown',
  modem_lost_after_ring: 'unknown',
  outcome_unknown: 'unknown',
  no_report: 'unknown',
}

/** How an access stands that opens nothing now, as an outcome. */
export const outcomeOfStanding: Readonly<Record<Exclude<Standing, 'allowed_now'>, Outcome>> = {
  outside_hours: 'outside',
  not_yet: 'outside',
  used_up: 'used',
  switched_off: 'noAccess',
  gate_off: 'off',
  ended: 'ended',
}

/** The outcomes after which a call has most likely not moved the gate, and a look at it tells. */
const lookedAt: readonly Outcome[] = ['noReaction', 'unreached']

/** What an opening's end means. A guest never reads that a gate did not open while it may have opened. */
export function outcomeOf({ confidence, opened, reason, safeToRetry, status }: Ending): Outcome {
  if (status === 'completed') return confidence === 'assumed' ? 'probably' : 'done'
  if (opened !== 'no') return reason === 'answered_unexpectedly' ? 'answered' : 'unknown'
  if (safeToRetry && isHelpedByAnother(reason)) return 'otherGateway'
  // What passes by itself is said only where another press is safe.
  return passesByItself(reason) && !safeToRetry ? 'unreached' : byReason[reason]
}

/** What is said about another press: when it is safe, or to look first. */
export type Retry = Again | 'lookFirst'

/** What an end says about another press; undefined where none helps, or the gate may have moved. */
export function retryOf(ending: Ending): Retry | undefined {
  const { opened, reason, safeToRetry } = ending
  const { again } = adviceAfter(reason, safeToRetry && opened === 'no')
  return again ?? (lookedAt.includes(outcomeOf(ending)) ? 'lookFirst' : undefined)
}
