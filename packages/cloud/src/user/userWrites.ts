// Changes of users: under a lock of each user and of the Spaces in which they have a role, beside the changes of all others.

import { refuse } from '@callgate/contract/app/refusals'
import type { Problem } from '@callgate/contract/rest/problem'
import type { Database, Db } from '../database/database.ts'
import type { Reach, Write } from '../database/transaction.ts'

async function spacesOf(db: Db, userIds: readonly string[]): Promise<readonly string[]> {
  const found: string[] = await db('userRoles').whereIn('userId', userIds).distinct().pluck('spaceId')
  return found
}

/** Rolls back what was begun under too few locks; nobody is answered with it. */
const again = refuse('roles_changed')

/** In a transaction: a problem where the locks are too few by now, which rolls it back. */
type Widened = (tx: Db) => Promise<Problem | undefined>

/**
 * Does a change of rows of these users: `attempt` writes with this reach, and begins with `widened`. No other change of
 * theirs runs meanwhile. Nor does any change in their Spaces: an opening is granted while its session is there, so a session
 * must not end in the middle of a grant. Changes of other Spaces go on, and are not waited for.
 */
export async function underLocksOf<T>(
  { knex }: Pick<Database, 'knex'>,
  userIds: readonly string[],
  attempt: (reach: Reach, widened: Widened) => Promise<T>,
): Promise<T> {
  for (;;) {
    const spaceIds = await spacesOf(knex, userIds)
    let isWider = false
    const widened: Widened = async tx => {
      // A role may have come while the locks were waited for.
      isWider = (await spacesOf(tx, userIds)).some(spaceId => !spaceIds.includes(spaceId))
      return isWider ? again : undefined
    }
    // The id of a user is none of a Space, and names a lock as well.
    const answer = await attempt({ spaceIds: [...spaceIds, ...userIds] }, widened)
    if (!isWider) return answer
  }
}

/** A `write` of rows of these users. */
export const writeOfUsers =
  (database: Pick<Database, 'knex'>, userIds: readonly string[], write: Write): Write =>
  work =>
    underLocksOf(database, userIds, (reach, widened) =>
      write(async tx => (await widened(tx)) ?? work(tx), reach),
    )
