// Whose mail goes next: one that belongs to no Space before all others, then the Spaces in turns.

import type { Db } from '../database/database.ts'

export interface MailTurn {
  /** The Space that had the last turn. */
  readonly after?: string | undefined
  /** Whether only a mail that belongs to no Space may go: a link for a new password, a word on security. */
  readonly isOfNoSpace?: boolean
}

/** The mails that were neither sent nor given up. */
export const openMails = (db: Db) => db('outbox').whereNull('outbox.sentAt').whereNull('outbox.givenUpAt')

const isOpen = '"sentAt" is null and "givenUpAt" is null'

/** The Spaces after one that have mails that wait, from one to the next by the index. */
const spacesSql = `
  select * from (select "spaceId" from "outbox" where ${isOpen} and "spaceId" > ? order by "spaceId" limit 1) as "first"
  union all
  select (select "spaceId" from "outbox" where ${isOpen} and "spaceId" > "turn"."spaceId" order by "spaceId" limit 1)
    from "turn" where "turn"."spaceId" is not null`

/** When the first mail of a Space is due. One value, which Postgres cannot turn into a join with all mails. */
const earliestSql = `
  select "nextAttemptAt" from "outbox" where ${isOpen} and "outbox"."spaceId" = "turn"."spaceId" order by "nextAttemptAt" limit 1`

/** The next Space after `after` that has a mail due. It looks at one mail of each, so 100,000 in one of them cost nothing. */
async function nextSpace(db: Db, now: string, after: string): Promise<string | undefined> {
  const found = await db
    .withRecursive('turn', ['spaceId'], db.raw(spacesSql, [after]))
    .from('turn')
    .whereRaw(`(${earliestSql}) <= ?`, [now])
    .first('spaceId')
  return found?.spaceId
}

/** The row of the mail that goes next; undefined when none is due. Of one Space, and of those of none, the one due longest. */
export async function nextMail(db: Db, now: string, { after = '', isOfNoSpace = false }: MailTurn) {
  const due = (spaceId: string | null) =>
    openMails(db)
      .where({ spaceId })
      .where('nextAttemptAt', '<=', now)
      .orderBy(['nextAttemptAt', 'id'])
      .first()
  const first = await due(null)
  if (first || isOfNoSpace) return first
  const spaceId = (await nextSpace(db, now, after)) ?? (await nextSpace(db, now, ''))
  return spaceId === undefined ? undefined : due(spaceId)
}
