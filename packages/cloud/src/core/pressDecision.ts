// Decides on a press: it leads a call of its own, joins a running call, or ends at once.

import type { ReasonWord } from '@callgate/contract/call/reason'
import { type Ending, endingOf, endingUndialled, type OpeningRow } from './opening.ts'

export type PressDecision =
  | { readonly kind: 'lead' }
  | { readonly kind: 'join'; readonly leader: OpeningRow }
  | { readonly kind: 'end'; readonly ending: Ending; readonly joined: OpeningRow | undefined }

export interface PressFacts {
  /** Why the press itself is denied. */
  readonly denied: ReasonWord | undefined
  /** The access by which a guest presses; null for an API key. */
  readonly accessId: string | null
  /** The opening that holds the number now, ended or not. */
  readonly holder: OpeningRow | undefined
  /**
   * The last call on the number that may have moved the gate. It ended at least `agoMs` milliseconds ago. `recordedAgoMs` is set
   * where only the record has the time of the end: it is measured by the wall clock, which may have been set since.
   */
  readonly last:
    | { readonly row: OpeningRow; readonly agoMs: number; readonly recordedAgoMs?: number }
    | undefined
  readonly coolDownMs: number
  /** Whether a call of the Space may be running that the data has lost, on any number. */
  readonly hasLostCall: boolean
  /** Whether a gateway that may call the gate is online. */
  readonly isGatewayOnline: boolean
}

/** Whether a call ended just now and may still move the gate. An older ending has nothing to do with the press. */
function isJustOver({ agoMs, recordedAgoMs = agoMs }: NonNullable<PressFacts['last']>, coolDownMs: number) {
  return recordedAgoMs >= 0 && recordedAgoMs < coolDownMs
}

/** Why the press may not even join `call`. That this call has used up the press's own access is no reason. */
function denialOf({ accessId, denied }: PressFacts, call: OpeningRow | undefined): ReasonWord | undefined {
  const isItsOwnUse = accessId !== null && call?.accessId === accessId && Boolean(call.usageHeld)
  return denied === 'usage_exhausted' && isItsOwnUse ? undefined : denied
}

/**
 * A second call reverses many gates. So a press places no call on a number that is being called or was called just now. It joins
 * that call: it takes no use of an access, and it ends with the ending of the call.
 */
export function decidePress(facts: PressFacts): PressDecision {
  const { coolDownMs, holder, last } = facts
  const cooling = last && last.agoMs < coolDownMs ? last : undefined
  const call = holder ?? (cooling && isJustOver(cooling, coolDownMs) ? cooling.row : undefined)
  const denied = denialOf(facts, call)
  if (denied) return { kind: 'end', ending: endingUndialled(denied), joined: undefined }
  if (call) {
    const ending = endingOf(call)
    return ending ? { kind: 'end', ending, joined: call } : { kind: 'join', leader: call }
  }
  // The gate may still be moving from a call, and nobody knows when that call was.
  if (cooling || facts.hasLostCall)
    return { kind: 'end', ending: endingUndialled('interrupted'), joined: undefined }
  if (!facts.isGatewayOnline)
    return { kind: 'end', ending: endingUndialled('gateway_offline'), joined: undefined }
  return { kind: 'lead' }
}
