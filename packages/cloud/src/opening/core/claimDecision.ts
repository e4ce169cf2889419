// Decides a claim: a grant, the same grant again, or a refusal.

import type { ReasonWord } from '@callgate/contract/call/reason'
import { isRunning, type OpeningRow } from '../../core/opening.ts'

export type ClaimDecision =
  | { readonly kind: 'grant' }
  | { readonly kind: 'repeat'; readonly phoneNumber: string; readonly callProfile: string }
  | { readonly kind: 'refuse'; readonly reason: 'refused' | 'expired' | 'already_granted' }
  /** The press may not open the gate any more: the opening ends. */
  | { readonly kind: 'end'; readonly reason: ReasonWord }
  /** The replica that took the press is gone, and no other knows the opening's age: the opening ends. */
  | { readonly kind: 'interrupt' }

export interface ClaimFacts {
  readonly claim: { readonly gatewayId: string; readonly bootId: string; readonly nonce: string }
  readonly opening: OpeningRow | undefined
  /** Milliseconds since the opening was accepted, by the clock that moved furthest; undefined where it is unknown. */
  readonly ageMs: number | undefined
  readonly grantWithinMs: number
  readonly denied: ReasonWord | undefined
  /** Whether the gateway may call this gate now. */
  readonly mayCall: boolean
  /** Whether the replica that owns the opening has lost its lease. */
  readonly isOwnerGone: boolean
}

/**
 * A grant is single use: it belongs to one gateway, one boot and one nonce. The same claim gets the same answer again, since the
 * first answer may be lost.
 */
export function decideClaim(facts: ClaimFacts): ClaimDecision {
  const { ageMs, claim, opening } = facts
  if (!opening || opening.joinedOpeningId !== null) return { kind: 'refuse', reason: 'refused' }
  if (opening.gatewayId !== null) {
    const same =
      opening.gatewayId === claim.gatewayId &&
      opening.bootId === claim.bootId &&
      opening.grantNonce === claim.nonce
    if (!same) return { kind: 'refuse', reason: 'already_granted' }
    if (!isRunning(opening) || opening.grantedProfile === null) return { kind: 'refuse', reason: 'expired' }
    return { kind: 'repeat', phoneNumber: opening.phoneNumber, callProfile: opening.grantedProfile }
  }
  if (opening.status !== 'initiated') return { kind: 'refuse', reason: 'expired' }
  if (facts.isOwnerGone) return { kind: 'interrupt' }
  if (ageMs === undefined || ageMs >= facts.grantWithinMs) return { kind: 'refuse', reason: 'expired' }
  if (!facts.mayCall) return { kind: 'refuse', reason: 'refused' }
  return facts.denied ? { kind: 'end', reason: facts.denied } : { kind: 'grant' }
}
