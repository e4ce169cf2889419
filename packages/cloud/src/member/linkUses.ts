// Which browsers have used a link, with the time of each one's first use. It shows an admin that a link was passed to another
// phone.

import { createHash } from 'node:crypto'
import type { Db } from '../database/database.ts'
import { statement } from '../database/statement.ts'
import type { LinkOwner } from './memberLinks.ts'

/** How many browsers of one link are remembered; the oldest are dropped. */
const mostKept = 100

/** Records that a browser pressed with the member's link. `visitor` is its random cookie; only its hash is kept. */
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
    .where({ memberId, spaceId })
    .orderBy([
      { column: 'firstUsedAt', order: 'desc' },
      { column: 'visitorHash', order: 'desc' },
    ])
    .limit(mostKept)
    .select('visitorHash')
  await tx('linkUses').where({ memberId, spaceId }).whereNotIn('visitorHash', kept).del()
}

/** Deletes the uses of a dead link, so that the next link has a first phone again. */
export async function forgetLinkUses(tx: Db, { id: memberId, spaceId }: LinkOwner): Promise<void> {
  await tx('linkUses').where({ memberId, spaceId }).delete()
}

const usesOf = statement<
  { readonly memberId: string; readonly spaceId: string },
  { readonly phones: number | string; readonly newestAt: string | null }
>((db, { memberId, spaceId }) =>
  db('linkUses').where({ memberId, spaceId }).count({ phones: '*' }).max({ newestAt: 'firstUsedAt' }),
)

/** The newest first use of the link by a phone other than the first; null where there was none. ISO 8601, UTC. */
export async function newPhoneAt(db: Db, { id: memberId, spaceId }: LinkOwner): Promise<string | null> {
  const [uses] = await usesOf(db, { memberId, spaceId })
  return uses && Number(uses.phones) > 1 ? uses.newestAt : null
}
