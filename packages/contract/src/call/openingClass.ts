// Opening classes: the few kinds of openings that people tell apart. Without schemas, so that a browser can use it.

import type { ReasonWord } from './reason.ts'

export const openingClasses = [
  'running',
  'opened',
  'probably_opened',
  'did_not_open',
  'not_called',
  'denied',
  'unknown',
] as const
export type OpeningClass = (typeof openingClasses)[number]

/** The access, the member or the gate did not allow the press. */
const denying: readonly ReasonWord[] = [
  'gate_inactive',
  'outside_schedule',
  'access_ended',
  'usage_exhausted',
  'access_inactive',
  'access_revoked',
  'permission_lost',
]

/** The press was allowed, and no call was placed. */
const uncalled: readonly ReasonWord[] = [
  'gateway_offline',
  'modem_busy',
  'modem_not_ready',
  'no_network',
  'not_dialled',
  'interrupted',
  'number_not_allowed',
  'number_changed',
  'number_in_use',
  'sim_error',
  'line_in_use',
]

/** The reasons that a call ends with only when the gate was ringing. */
const rung: readonly ReasonWord[] = [
  'rejected_after_ring',
  'rejected',
  'ended_too_early',
  'late_release',
  'rang_out',
  'rang',
  'no_reaction',
  'no_answer',
  'answered_unexpectedly',
  'rejected_to_voicemail',
  'answered_released',
  'answered',
  'confirmed',
  'dropped',
  'voicemail_suspected',
  'modem_lost_after_ring',
]

/** What an opening says about its end; all null while it runs. */
interface Ended {
  readonly status: 'initiated' | 'connected' | 'completed' | 'failed' | 'timeout'
  readonly reason: string | null
  readonly opened: string | null
  readonly confidence: string | null
}

const has = (words: readonly string[], word: string | null) => word !== null && words.includes(word)

/**
 * The class of an opening: first by what is known about the gate, then by the reason. `unknown`: the gate may have moved.
 * `not_called` and `denied`: it was not called, so it did not move.
 */
export function openingClassOf({ confidence, opened, reason, status }: Ended): OpeningClass {
  if (status === 'initiated' || status === 'connected') return 'running'
  if (opened === 'yes' || opened === 'likely') return confidence === 'assumed' ? 'probably_opened' : 'opened'
  if (opened !== 'no') return 'unknown'
  if (has(denying, reason)) return 'denied'
  return has(uncalled, reason) ? 'not_called' : 'did_not_open'
}

/** Whether the reason says that the gate was ringing. */
export function hasRung(reason: string | null): boolean {
  return has(rung, reason)
}

/** Whether the gate was called, rang, and did nothing: its module may not know the caller number. */
export function didNotReact({ opened, reason }: Pick<Ended, 'opened' | 'reason'>): boolean {
  return opened === 'no' && (reason === 'no_reaction' || reason === 'no_answer')
}
