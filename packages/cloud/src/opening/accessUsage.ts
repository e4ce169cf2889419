// The usage of an access: reserved when a call is granted, given back when nothing was dialled, dated when it opened.

import type { OpeningRow } from '../core/opening.ts'
import type { Db } from '../database/database.ts'

/** A guest's opening; that of an API key has no access, and nothing to count. */
type Used = Pick<OpeningRow, 'spaceId' | 'accessId'>

/** Reserves one use for a call that is granted now. False when the cap is reached or the access is gone. */
export async function reserveUsage(tx: Db, { accessId, spaceId }: Used): Promise<boolean> {
  const changed = await tx('accesses')
    .where({ id: accessId, spaceId })
    .where(cap => cap.whereNull('maxUsage').orWhere('usageCount', '<', tx.ref('maxUsage')))
    .update({ usageCount: tx.raw('"usageCount" + 1') })
  return changed === 1
}

/** Gives a reserved use back. Without effect on an access that has been revoked since: its count is gone with it. */
export async function giveUsageBack(tx: Db, { accessId, spaceId }: Used): Promise<void> {
  await tx('accesses')
    .where({ id: accessId, spaceId })
    .update({ usageCount: tx.raw('"usageCount" - 1') })
}

/** Dates the last use of the access: a call of it has completed, at `completedAt` (ISO). */
export async function recordUsage(tx: Db, { accessId, spaceId }: Used, completedAt: string): Promise<void> {
  await tx('accesses')
    .where({ id: accessId, spaceId })
    .update({
      lastUsedAt: tx.raw('case when "lastUsedAt" > ? then "lastUsedAt" else ? end', [
        completedAt,
        completedAt,
      ]),
    })
}
