// The states for filtering the list of members, in the order of the choices.

import type { MemberState as AnyState } from '@callgate/contract/rest/standing'

export type MemberState = AnyState
export const memberStates = [
  'current',
  'allowed_now',
  'ending_soon',
  'ended',
  'active',
  'inactive',
] as const satisfies readonly MemberState[]
