// The member who is the same person as a user, by an owner's setting: the member has `isAdmin` while that user may sign in.

import { refuse } from '@callgate/contract/app/refusals'
import type { Problem } from '@callgate/contract/rest/problem'
import type { World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { type Actor, recordActivity } from '../activity/activity.ts'
import { showAdmin } from '../member/memberRows.ts'

/** A member of a Space; of none where the id is null. */
interface MemberOf {
  readonly spaceId: string
  readonly memberId: string | null
}

/** Updates `isAdmin` of the members to whom a user is, or was, linked. */
export async function showAdmins(tx: Knex.Transaction, members: readonly MemberOf[]): Promise<void> {
  for (const { memberId: id, spaceId } of members) {
    if (id === null) continue
    const linked = await tx('userRoles')
      .join('users', 'users.id', 'userRoles.userId')
      .where({ memberId: id, spaceId, deactivatedAt: null })
      .first('userRoles.userId')
    await showAdmin(tx, { id, spaceId }, linked !== undefined)
  }
}

/** Sets which member of the Space a user is; null for none. */
export async function linkMember(
  tx: Knex.Transaction,
  world: World,
  given: {
    readonly user: { readonly id: string; readonly name: string }
    readonly spaceId: string
    readonly memberId: string | null
    readonly by: Actor
  },
): Promise<Problem | undefined> {
  const { by, memberId, spaceId, user } = given
  const place = { userId: user.id, spaceId }
  const before = await tx('userRoles').where(place).first('memberId')
  if (before?.memberId === memberId) return undefined
  const member =
    memberId === null
      ? undefined
      : await tx('members').where({ id: memberId, spaceId, erasedAt: null }).first()
  if (memberId !== null && !member)
    return { problem: 'not_found', message: 'memberId: there is no member with this id.' }
  const other = memberId === null ? undefined : await tx('userRoles').where({ memberId, spaceId }).first()
  if (other) return refuse('member_linked')
  await tx('userRoles').where(place).update({ memberId })
  await showAdmins(tx, [
    { spaceId, memberId: before?.memberId ?? null },
    { spaceId, memberId },
  ])
  const of = { spaceId, ...by, targetId: user.id, targetLabel: user.name }
  const details = { memberId, memberName: member?.name ?? null }
  await recordActivity(tx, world, { ...of, action: 'user.linked', details })
  return undefined
}
