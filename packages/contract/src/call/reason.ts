// Reasons: the machine words for how an opening ended, each with a sentence for a person.

import type { Static } from 'typebox'
import { growingWords } from '../text.ts'

/** The reasons of the cloud or the gateway before anything is dialled. */
const beforeDialling = {
  gate_inactive: 'The gate is switched off in Callgate, so it was not called.',
  locked_down: 'All gates are locked by an admin, so the gate was not called.',
  gateway_offline: 'The gateway at the gate is not connected, so the gate was not called.',
  modem_busy: 'The gateway is busy with other calls, so the gate was not called.',
  modem_not_ready: "The gateway's modem is not ready, so the gate was not called.",
  no_network: "The gateway's modem has no mobile network, so the gate was not called.",
  not_dialled: 'The call was not placed in time, so the gate was not called.',
  interrupted: 'The service or the gateway restarted or stood still before the gate was called.',
  outside_schedule: 'The access does not allow opening at this time, so the gate was not called.',
  access_ended: 'The access has ended, so the gate was not called.',
  usage_exhausted: 'The access has been used as often as it may be, so the gate was not called.',
  access_inactive: 'The access is switched off, so the gate was not called.',
  access_revoked: 'The access was revoked, so the gate was not called.',
  permission_lost: 'The permission to open this gate ended before the call was placed.',
  number_not_allowed:
    "The gate's phone number is of a kind that is never called, such as premium-rate, so the gate was not called.",
  number_changed: "The gate's phone number was changed before the call was placed.",
  number_in_use: "The gate's phone number was in use, so the gate was not called.",
} as const

/** The reasons that follow from the evidence of the call. */
const fromTheCall = {
  sim_error: "The gateway's SIM card does not work; the gate was not called.",
  line_in_use: "The gateway's line was in use, so the gate was not called.",
  dial_no_response: 'The modem did not answer the dial command; what happened is not known.',
  busy: "The gate's number was busy.",
  network_rejected: 'The network refused the call; credit or barring of the SIM card may be the cause.',
  no_credit: "The gateway's SIM card has no credit left, so the network refused the call.",
  calls_barred: "The operator bars the calls of the gateway's SIM card; without credit it may do so as well.",
  bad_number: "The network says that the gate's number does not exist.",
  congestion: 'The network is congested.',
  unreachable: "The gate's module cannot be reached; it may be off or without coverage.",
  no_ringing: "The gate's number never rang.",
  rejected_after_ring: 'The gate took the call.',
  rejected: 'The gate rejected the call; its module may not know the caller number.',
  ended_too_early: 'The call ended sooner than this gate usually ends it; it may not have opened.',
  late_release: 'The call ended later than this gate usually ends it; it may not have opened.',
  rang_out: 'Nobody took the call; it rang out.',
  rang: 'The gate was rung.',
  no_reaction: "The number rang and nothing took the call; the gate's module may not know the caller number.",
  no_answer: 'The gate did not answer.',
  answered_unexpectedly:
    'Something answered the call, and the gate\'s call profile does not expect that. So it is not known whether the gate opened. If it opened, send PATCH /api/v1/gates/{gateId}/profile with {"mode":"answer_release"}. If it did not, a voicemail may have answered.',
  rejected_to_voicemail: 'The gate took the call.',
  answered_released: 'The gate answered and took the call.',
  answered: 'The gate answered the call.',
  confirmed: "The gate's module called back or wrote to confirm that it opened.",
  dropped: 'The gate answered and dropped the call at once.',
  voicemail_suspected: 'A voicemail seems to have answered the call.',
  cancelled: 'The call was cancelled.',
  modem_lost: 'The modem stopped working during the call.',
  modem_lost_after_ring: 'The modem stopped working while the gate was ringing; it may have opened.',
} as const

/** The reasons for an outcome that cannot be known. */
const unknownOutcome = {
  outcome_unknown: 'The call was interrupted at the gateway; whether the gate opened is not known.',
  no_report: 'The gateway has not reported in time; whether the gate opened is not known.',
} as const

/** A word stands in one group only: in a second one it would take the place of the first sentence. */
export const reasonGroups = [beforeDialling, fromTheCall, unknownOutcome] as const

export const reasons = {
  ...beforeDialling,
  ...fromTheCall,
  ...unknownOutcome,
} as const
export type ReasonWord = keyof typeof reasons

/** The reasons that the driver of the modem gives for a call. */
export type CallReason = keyof typeof fromTheCall | 'no_network' | 'outcome_unknown'

export const Reason = growingWords(Object.keys(reasons) as ReasonWord[], {
  description: 'How the opening ended',
})
export type Reason = Static<typeof Reason>
