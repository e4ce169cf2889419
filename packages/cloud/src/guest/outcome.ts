// The meaning of an ending for a guest: maps the reasons to the few outcomes that change what the guest does next.

import { adviceAfter, isHelpedByAnother, passesByItself } from '@callgate/contract/call/advice'
import type { Again } from '@callgate/contract/call/reasonRow'
import { rowOf } from '@callgate/contract/call/reasonRows'
import type { AccessStatus } from '@callgate/contract/rest/standing'
import type { Ending } from '../core/opening.ts'
import type { Outcome } from './texts/texts.ts'

/** The outcome for each status of an access that opens nothing now. */
export const outcomeOfStatus: Readonly<Record<Exclude<AccessStatus, 'allowed_now'>, Outcome>> = {
  outside_hours: 'outside',
  not_yet: 'outside',
  used_up: 'used',
  switched_off: 'noAccess',
  gate_off: 'off',
  ended: 'ended',
}

/** The outcomes after which the call has most likely not moved the gate, and the guest can check that. */
const checkedAt: readonly Outcome[] = ['noReaction', 'unreached']

/** The outcome of an opening's end. A guest never reads that a gate did not open while it may have opened. */
export function outcomeOf({ confidence, opened, reason, safeToRetry, status }: Ending): Outcome {
  if (status === 'completed') return confidence === 'assumed' ? 'probably' : 'done'
  if (opened !== 'no') return reason === 'answered_unexpectedly' ? 'answered' : 'unknown'
  if (safeToRetry && isHelpedByAnother(reason)) return 'otherGateway'
  // A fault that passes by itself is named only where another press is safe.
  if (passesByItself(reason) && !safeToRetry) return 'unreached'
  // A newer cloud on the same database may have ended it.
  return rowOf(reason)?.guest ?? 'unreached'
}

/** The advice about another press: when it is safe, or that the guest must check the gate first. */
export type Retry = Again | 'lookFirst'

/** The advice about another press; undefined where none helps, or where the gate may have moved. */
export function retryOf(ending: Ending): Retry | undefined {
  const { opened, reason, safeToRetry } = ending
  const { again } = adviceAfter(reason, safeToRetry && opened === 'no')
  return again ?? (checkedAt.includes(outcomeOf(ending)) ? 'lookFirst' : undefined)
}
