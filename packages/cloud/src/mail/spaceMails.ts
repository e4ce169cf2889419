// The mails of one Space: the newest to its members.

import type { Db } from '../database/database.ts'
import type { ClaimedMail, MemberMailKind } from './outbox.ts'

/** A mail to a member, sent or not. */
export interface MemberMail extends Pick<ClaimedMail, 'mailId' | 'spaceId' | 'gateId' | 'createdAt'> {
  readonly memberId: string
  readonly kind: MemberMailKind
}

/** The newest mails of a Space to its members, at most `limit`. */
export async function listMemberMails(
  db: Db,
  spaceId: string,
  limit: number,
): Promise<readonly MemberMail[]> {
  const kinds: readonly MemberMailKind[] = ['invitation', 'access_granted']
  return db('mailRecords as record')
    .join('outbox', join => join.on('outbox.id', 'record.mailId').andOn('outbox.spaceId', 'record.spaceId'))
    .where('record.spaceId', spaceId)
    .whereIn('outbox.kind', kinds)
    .orderBy([
      { column: 'record.createdAt', order: 'desc' },
      { column: 'record.mailId', order: 'desc' },
    ])
    .limit(limit)
    .select(
      'record.mailId',
      'record.spaceId',
      'outbox.memberId',
      'outbox.kind',
      'outbox.gateId',
      'outbox.createdAt',
    )
}
