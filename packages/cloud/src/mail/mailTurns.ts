// The order of mails: those of no Space first, then the Spaces in turns.

import type { Db } from '../database/database.ts'

export interface MailTurn {
  /** The Space that had the last turn. */
  readonly after?: string | undefined
  /** Whether only a mail of no Space may be sent: a link for a new password, or a message on security. */
  readonly isOfNoSpace?: boolean
}

/** The mails that were neither sent nor given up. */
export const openMails = (db: Db) => db('outbox').whereNull('outbox.sentAt').whereNull('outbox.givenUpAt')

const isOpen = '"sentAt" is null and "givenUpAt" is null'

/** The Spaces after a given one that have waiting mails; the index leads from one to the next. */
const spacesSql = `
  select * from (select "spaceId" from "outbox" where ${isOpen} and "spaceId" > ? order by "spaceId" limit 1) as "first"
  union all
  select (select "spaceId" from "outbox" where ${isOpen} and "spaceId" > "turn"."spaceId" order by "spaceId" limit 1)
    from "turn" where "turn"."spaceId" is not null`

/** The due time of a Space's first mail. As a single value, Postgres cannot turn it into a join with all mails. */
const earliestSql = `
  select "nextAttemptAt" from "outbox" where ${isOpen} and "outbox"."spaceId" = "turn"."spaceId" order by "nextAttemptAt" limit 1`

/**
 * The next Space after `after` that has a mail due. It reads one mail of each Space, so 100,000 mails in one Space cost nothing.
 */
async function nextSpace(db: Db, now: string, after: string): Promise<string | undefined> {
  const found = await db
    .withRecursive('turn', ['spaceId'], db.raw(spacesSql, [after]))
    .from('turn')
    .whereRaw(`(${earliestSql}) <= ?`, [now])
    .first('spaceId')
  return found?.spaceId
}

/**
 * The row of the next mail; undefined when none is due. Among the mails of one Space, or of none, the longest due comes first.
 */
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
