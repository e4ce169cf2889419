// What an ending means for a guest: the reasons as the few outcomes that change what the guest does next.

import type { AccessStatus } from '@callgate/contract/app/appMember'
import { adviceAfter, isHelpedByAnother, passesByItself } from '@callgate/contract/call/advice'
import type { Again } from '@callgate/contract/call/reasonRow'
import { rowOf } from '@callgate/contract/call/reasonRows'
import type { Ending } from '../core/opening.ts'
import type { Outcome } from './texts/texts.ts'

/** How an access stands that opens nothing now, as an outcome. */
export const outcomeOfStatus: Readonly<Record<Exclude<AccessStatus, 'allowed_now'>, Outcome>> = {
  outside_hours: 'outside',
  not_yet: 'outside',
  used_up: 'used',
  switched_off: 'noAccess',
  gate_off: 'off',
  ended: 'ended',
}

/** The outcomes after which a call has most likely not moved the gate, and a look at it tells. */
const checkedAt: readonly Outcome[] = ['noReaction', 'unreached']

/** What an opening's end means. A guest never reads that a gate did not open while it may have opened. */
export function outcomeOf({ confidence, opened, reason, safeToRetry, status }: Ending): Outcome {
  if (status === 'completed') return confidence === 'assumed' ? 'probably' : 'done'
  if (opened !== 'no') return reason === 'answered_unexpectedly' ? 'answered' : 'unknown'
  if (safeToRetry && isHelpedByAnother(reason)) return 'otherGateway'
  // What passes by itself is said only where another press is safe.
  if (passesByItself(reason) && !safeToRetry) return 'unreached'
  // A newer cloud on the same database may have ended it.
  return rowOf(reason)?.guest ?? 'unreached'
}

/** What is said about another press: when it is safe, or to look first. */
export type Retry = Again | 'lookFirst'

/** What an end says about another press; undefined where none helps, or the gate may have moved. */
export function retryOf(ending: Ending): Retry | undefined {
  const { opened, reason, safeToRetry } = ending
  const { again } = adviceAfter(reason, safeToRetry && opened === 'no')
  return again ?? (checkedAt.includes(outcomeOf(ending)) ? 'lookFirst' : undefined)
}
