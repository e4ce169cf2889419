// The states by which the list of members is filtered, in the order in which they are offered.

import type { MemberState as AnyState } from '@callgate/contract/app/appMember'

export type MemberState = AnyState
export const memberStates = [
  'active',
  'allowed_now',
  'ending_soon',
  'ended',
  'inactive',
] as const satisfies readonly MemberState[]
