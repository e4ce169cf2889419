// The usage of an access: reserved when a call is granted, given back when nothing was dialled, dated when it opened.

import type { OpeningRow } from '../core/opening.ts'
import type { Db } from '../database/database.ts'
import { sent } from '../database/pipeline.ts'
import { statement, type Values } from '../database/statement.ts'

/** A guest's opening. An opening by an API key has no access, and nothing to count. */
type Used = Pick<OpeningRow, 'spaceId' | 'accessId'>

interface UsageTarget extends Values {
  readonly accessId: string | null
  readonly spaceId: string
}

const countUp = statement<UsageTarget, object>((db, { accessId, spaceId }) =>
  db('accesses')
    .where({ id: accessId, spaceId })
    .where(cap => cap.whereNull('maxUsage').orWhere('usageCount', '<', db.ref('maxUsage')))
    .update({ usageCount: db.raw('"usageCount" + 1') })
    .returning('id'),
)

const countDown = statement<UsageTarget, never>((db, { accessId, spaceId }) =>
  db('accesses')
    .where({ id: accessId, spaceId })
    .update({ usageCount: db.raw('"usageCount" - 1') }),
)

const date = statement<UsageTarget & { readonly completedAt: string }, never>(
  (db, { accessId, completedAt, spaceId }) =>
    db('accesses')
      .where({ id: accessId, spaceId })
      .update({
        lastUsedAt: db.raw('case when "lastUsedAt" > ? then "lastUsedAt" else ? end', [
          completedAt,
          completedAt,
        ]),
      }),
)

/** Reserves one use for a call that is granted now. False when the cap is reached or the access is gone. */
export async function reserveUsage(tx: Db, { accessId, spaceId }: Used): Promise<boolean> {
  return (await countUp(tx, { accessId, spaceId })).length === 1
}

/** Gives a reserved use back. No effect on an access that was revoked since, because its count was deleted with it. */
export async function giveUsageBack(tx: Db, { accessId, spaceId }: Used): Promise<void> {
  await sent(tx, countDown(tx, { accessId, spaceId }))
}

/** Sets the time of the access's last use: a call of it has completed at `completedAt` (ISO). */
export async function recordUsage(tx: Db, { accessId, spaceId }: Used, completedAt: string): Promise<void> {
  await sent(tx, date(tx, { accessId, spaceId, completedAt }))
}
