// Whether an opening may be dialled now, from everything that the grant's transaction has locked and read.

import type { ReasonWord } from '@callgate/contract/reason'

/** What a permit rests on, read inside one transaction. Times are milliseconds since the epoch. */
export interface PermitFacts {
  readonly nowMs: number
  /** The number that the opening was accepted for. */
  readonly acceptedNumber: string
  readonly gate: { readonly isActive: boolean; readonly phoneNumber: string }
  /** The key that asked. */
  readonly apiKey: {
    readonly revokedAt: string | null
    readonly expiresAt: string | null
    readonly mayOpen: boolean
  }
  readonly planHasApi: boolean
}

/** The reason why the opening may not be dialled; undefined when it may. */
export function refusal(facts: PermitFacts): ReasonWord | undefined {
  const { apiKey, gate, nowMs } = facts
  if (!gate.isActive) return 'gate_inactive'
  if (gate.phoneNumber !== facts.acceptedNumber) return 'number_changed'
  if (apiKey.revokedAt !== null) return 'permission_lost'
  if (apiKey.expiresAt !== null && Date.parse(apiKey.expiresAt) <= nowMs) return 'permission_lost'
  if (!apiKey.mayOpen || !facts.planHasApi) return 'permission_lost'
  return undefined
}
