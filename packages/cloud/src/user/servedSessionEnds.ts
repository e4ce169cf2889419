// Ends the permissions of users by the time of service, where the setting of a wall clock would prolong them.

import type { Database } from '../database/database.ts'
import { unlocked } from '../database/dialect.ts'
import { servedFor } from '../database/servedTime.ts'
import { sessionWithinMs } from '../http/visitor.ts'
import { invitationValidMs } from './invitations.ts'
import { resetValidMs } from './passwordHandlers.ts'

const endedAtOnce = 50

/** Deletes sessions and links to a new password, and invitations under the lock of their Space. The next round ends the rest. */
export async function endUserPermits({ database }: { readonly database: Database }): Promise<void> {
  for (const [table, validMs] of [
    ['sessions', sessionWithinMs],
    ['passwordResets', resetValidMs],
  ] as const) {
    const [one] = await servedFor(database.knex(table), validMs).limit(1).select('id')
    if (!one) continue
    await database.write(
      tx => {
        const over = servedFor(tx(table), validMs).select('id').limit(endedAtOnce)
        return tx(table).whereIn('id', unlocked(tx, over)).delete()
      },
      { spaceId: null },
    )
  }
  const over: { spaceId: string; id: string }[] = await servedFor(
    database.knex('userInvitations'),
    invitationValidMs,
  )
    .select('spaceId', 'id')
    .limit(endedAtOnce)
  for (const { id, spaceId } of over)
    await database.write(tx => tx('userInvitations').where({ id, spaceId }).delete(), { spaceId })
}
