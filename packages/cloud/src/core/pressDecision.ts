// What becomes of a press: it leads a call of its own, joins one that runs, or ends at once.

import type { ReasonWord } from '@callgate/contract/call/reason'
import { type Ending, endingOf, endingUndialled, type OpeningRow } from './opening.ts'

export type PressDecision =
  | { readonly kind: 'lead' }
  | { readonly kind: 'join'; readonly leader: OpeningRow }
  | { readonly kind: 'end'; readonly ending: Ending; readonly joined: OpeningRow | undefined }

export interface PressFacts {
  /** Why the press itself is denied. */
  readonly denied: ReasonWord | undefined
  /** The opening that holds the number now, ended or not. */
  readonly holder: OpeningRow | undefined
  /**
   * The last call on the number that may have moved the gate. It ended at least `agoMs` milliseconds ago. `recordedAgoMs`
   * is set where only the record knows the end: it counts by the wall clock, which may have been set since.
   */
  readonly last:
    | { readonly row: OpeningRow; readonly agoMs: number; readonly recordedAgoMs?: number }
    | undefined
  readonly coolDownMs: number
  readonly isGatewayOnline: boolean
}

/**
 * A second call reverses many gates. So a press places no call on a number that is being called, or was called just
 * now: it joins that call and ends as it ends.
 */
export function decidePress(facts: PressFacts): PressDecision {
  const { denied, holder, last } = facts
  if (denied) return { kind: 'end', ending: endingUndialled(denied), joined: undefined }
  if (holder) {
    const ending = endingOf(holder)
    return ending ? { kind: 'end', ending, joined: holder } : { kind: 'join', leader: holder }
  }
  const lastEnding = last && last.agoMs < facts.coolDownMs ? endingOf(last.row) : undefined
  if (last && lastEnding) {
    const recordedAgoMs = last.recordedAgoMs ?? last.agoMs
    const isJustOver = recordedAgoMs >= 0 && recordedAgoMs < facts.coolDownMs
    // The call may be long over. Its ending has nothing to do with this press then.
    if (!isJustOver) return { kind: 'end', ending: endingUndialled('interrupted'), joined: undefined }
    return { kind: 'end', ending: lastEnding, joined: last.row }
  }
  if (!facts.isGatewayOnline)
    return { kind: 'end', ending: endingUndialled('gateway_offline'), joined: undefined }
  return { kind: 'lead' }
}
