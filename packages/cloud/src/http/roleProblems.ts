// Why a user may not do something in a Space: the role, or a missing confirmation.

import type { RoleName } from '@callgate/contract/app/appOperation'
import type { Problem } from '@callgate/contract/rest/problem'
import type { UserPrincipal } from './handler.ts'

const mayDo: Readonly<Record<RoleName, readonly RoleName[]>> = {
  admin: ['admin'],
  owner: ['admin', 'owner'],
}

export const unconfirmed: Problem = {
  problem: 'confirmation_required',
  message: 'Show once more who you are, by password or passkey. It holds for five minutes.',
}

/** Undefined where the user has this role, or a role with more rights. */
export function roleProblem({ role }: Pick<UserPrincipal, 'role'>, needed: RoleName): Problem | undefined {
  if (mayDo[role].includes(needed)) return undefined
  return {
    problem: 'insufficient_role',
    message: `Only an ${needed} of this Space may do this, and you are an ${role}.`,
  }
}

/** A check by an owner's role: undefined for an owner who has just confirmed their identity. */
export const confirmedOwnerProblem = (
  principal: Pick<UserPrincipal, 'isConfirmed' | 'role'>,
): Problem | undefined => roleProblem(principal, 'owner') ?? (principal.isConfirmed ? undefined : unconfirmed)
