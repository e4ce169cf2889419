// Which browsers have used a link: only when each did so first. An admin sees by it that a link went to another phone.

import { createHash } from 'node:crypto'
import type { Db } from '../database/database.ts'
import type { LinkOwner } from './memberLinks.ts'

/** Browsers that are remembered of one link; the oldest go first. */
const mostKept = 100

/** Notes that a browser pressed with the member's link. `visitor` is its random cookie; only its hash is kept. */
export async function noteLinkUse(
  tx: Db,
  member: LinkOwner,
  visitor: string,
  firstUsedAt: string,
): Promise<void> {
  const { id: memberId, spaceId } = member
  const visitorHash = createHash('sha256').update(visitor).digest('hex')
  await tx('linkUses')
    .insert({ spaceId, memberId, visitorHash, firstUsedAt })
    .onConflict(['memberId', 'visitorHash'])
    .ignore()
  const kept = tx('linkUses')
    .where({ memberId })
    .orderBy([
      { column: 'firstUsedAt', order: 'desc' },
      { column: 'visitorHash', order: 'desc' },
    ])
    .limit(mostKept)
    .select('visitorHash')
  await tx('linkUses').where({ memberId, spaceId }).whereNotIn('visitorHash', kept).del()
}

/** How many browsers have used a member's link, and when the newest of them did first. */
export interface LinkUse {
  readonly memberId: string
  readonly phones: number
  /** ISO 8601, UTC. */
  readonly newestAt: string
}

/** Of each of the Space's members whose link was ever used. More than one phone: another one came after the first. */
export async function readLinkUses(
  db: Db,
  spaceId: string,
  memberIds: readonly string[],
): Promise<readonly LinkUse[]> {
  return db('linkUses')
    .where({ spaceId })
    .whereIn('memberId', [...memberIds])
    .groupBy('memberId')
    .select('memberId')
    .count({ phones: '*' })
    .max({ newestAt: 'firstUsedAt' })
}
