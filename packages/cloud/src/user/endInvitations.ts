// Ends the invitations of a user who may no longer invite.

import type { World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { type Actor, recordActivity } from '../activity/activity.ts'

/** Withdraws the user's invitations in one Space or in all, with an activity entry for each. */
export async function endInvitationsOf(
  tx: Knex.Transaction,
  world: World,
  { by, spaceId, userId }: { readonly userId: string; readonly spaceId?: string; readonly by: Actor },
): Promise<void> {
  const own = { madeById: userId, ...(spaceId !== undefined && { spaceId }) }
  const rows = await tx('userInvitations').where(own).select('id', 'spaceId', 'name')
  for (const { id, name, spaceId: inSpace } of rows) {
    await tx('userInvitations').where({ id }).delete()
    const of = { spaceId: inSpace, ...by, targetId: id, targetLabel: name }
    await recordActivity(tx, world, { ...of, action: 'user.invitation_cancelled', details: {} })
  }
}
