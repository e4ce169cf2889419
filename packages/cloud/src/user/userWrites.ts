// Changes of users, under a lock of each user and of the Spaces in which they have a role, beside the changes of all others.

import { refuse } from '@callgate/contract/app/refusals'
import type { Problem } from '@callgate/contract/rest/problem'
import type { Database, Db } from '../database/database.ts'
import type { Reach, Write } from '../database/transaction.ts'

async function spacesOf(db: Db, userIds: readonly string[]): Promise<readonly string[]> {
  const found: string[] = await db('userRoles').whereIn('userId', userIds).distinct().pluck('spaceId')
  return found
}

/** Rolls back work that was begun under too few locks; it is never sent as an answer. */
const again = refuse('roles_changed')

/** Inside a transaction: a problem where the locks are no longer enough, which rolls it back. */
type Widened = (tx: Db) => Promise<Problem | undefined>

/**
 * Makes a change of rows of these users: `attempt` writes with this reach, and begins with `widened`. No other change of these
 * users runs meanwhile, nor any change in their Spaces: an opening is granted while its session exists, so a session must not end
 * in the middle of a grant. Changes of other Spaces go on, and are not waited for.
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
      // The user may have got a role while the locks were awaited.
      isWider = (await spacesOf(tx, userIds)).some(spaceId => !spaceIds.includes(spaceId))
      return isWider ? again : undefined
    }
    // The id of a user is not that of a Space, but can be used as a lock as well.
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
