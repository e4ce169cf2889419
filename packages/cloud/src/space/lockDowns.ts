// The lock-down of a Space in its row: since when nobody opens a gate, and who has locked them.

import type { LockDown } from '@callgate/contract/app/lockDown'
import type { Db } from '../database/database.ts'

/** The lock-down of a Space, null where there is none, and the name of the Space. */
export async function readLockDown(
  db: Db,
  spaceId: string,
): Promise<{ readonly spaceName: string; readonly lockDown: LockDown | null }> {
  const row = await db('spaces')
    .leftJoin('users', 'users.id', 'spaces.lockDownUserId')
    .where({ 'spaces.id': spaceId })
    .first({ spaceName: 'spaces.name', since: 'spaces.lockDownAt', by: 'users.name' })
  const { by, since, spaceName } = row
  return { spaceName, lockDown: since === null ? null : { since, by } }
}

/** Locks the gates of a Space; undefined unlocks them. `userId` is null for the operator. */
export async function setLockDown(
  tx: Db,
  spaceId: string,
  lockDown: { readonly since: string; readonly userId: string | null } | undefined,
): Promise<void> {
  await tx('spaces')
    .where({ id: spaceId })
    .update({ lockDownAt: lockDown?.since ?? null, lockDownUserId: lockDown?.userId ?? null })
}
