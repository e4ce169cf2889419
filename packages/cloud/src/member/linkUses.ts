// Which browsers have used a link: only when each did so first. An admin sees by it that a link went to another phone.

import { createHash } from 'node:crypto'
import type { Db } from '../database/database.ts'
import { statement } from '../database/statement.ts'
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
    .where({ memberId, spaceId })
    .orderBy([
      { column: 'firstUsedAt', order: 'desc' },
      { column: 'visitorHash', order: 'desc' },
    ])
    .limit(mostKept)
    .select('visitorHash')
  await tx('linkUses').where({ memberId, spaceId }).whereNotIn('visitorHash', kept).del()
}

/** Forgets who used a link that is dead: the next one has a first phone again. */
export async function forgetLinkUses(tx: Db, { id: memberId, spaceId }: LinkOwner): Promise<void> {
  await tx('linkUses').where({ memberId, spaceId }).delete()
}

const usesOf = statement<
  { readonly memberId: string; readonly spaceId: string },
  { readonly phones: number | string; readonly newestAt: string | null }
>((db, { memberId, spaceId }) =>
  db('linkUses').where({ memberId, spaceId }).count({ phones: '*' }).max({ newestAt: 'firstUsedAt' }),
)

/** When another phone than the first used the link for the first time, the newest of them; null where none did. ISO 8601, UTC. */
export async function newPhoneAt(db: Db, { id: memberId, spaceId }: LinkOwner): Promise<string | null> {
  const [uses] = await usesOf(db, { memberId, spaceId })
  return uses && Number(uses.phones) > 1 ? uses.newestAt : null
}
