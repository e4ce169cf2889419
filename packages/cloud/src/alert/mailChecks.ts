// Checks for failing mails, and finds their addressees.

import { isoTime, type World } from '@callgate/world/world'
import type { Database, Db } from '../database/database.ts'
import type { GoingOn, IncidentCheck } from './incidentRows.ts'

/** How long a failed mail counts. Milliseconds. */
const countsForMs = 24 * 3_600_000

/** The unsent mails that count as failing. Mails about incidents of mails are left out: they must not cause the next incident. */
function failingMails(db: Db, nowMs: number) {
  return db('outbox')
    .leftJoin('alertMails as alert', 'alert.id', 'outbox.linkId')
    .where('outbox.failedAt', '>', isoTime(nowMs - countsForMs))
    .whereNull('outbox.sentAt')
    .whereNotNull('outbox.spaceId')
    .where(query => query.whereNull('alert.id').orWhere({ 'alert.isAboutMails': false }))
}

/** Checks the mails of each Space that has failing ones, or an open incident. */
export async function checkMails(
  { database: { knex }, world }: { readonly database: Database; readonly world: World },
  goingOn: GoingOn,
): Promise<readonly IncidentCheck[]> {
  const rows: { spaceId: string; rows: number; since: string }[] = await failingMails(knex, world.nowMs())
    .groupBy('outbox.spaceId')
    .select('outbox.spaceId')
    .count({ rows: '*' })
    .min({ since: 'outbox.failedAt' })
  const checks = new Map<string, IncidentCheck>()
  const of = (spaceId: string) => ({ spaceId, targetId: spaceId, kind: 'mail_failing' }) as const
  for (const { kind, spaceId } of goingOn.values()) {
    if (kind !== 'mail_failing') continue
    const unsent = await knex('outbox').where({ spaceId, sentAt: null }).whereNotNull('failedAt').first('id')
    // A mail that nobody sent again within a day does not count any more, but the state is not well either.
    checks.set(spaceId, { ...of(spaceId), seen: unsent ? 'gone' : 'well' })
  }
  for (const { rows: count, since, spaceId } of rows)
    checks.set(spaceId, { ...of(spaceId), seen: 'bad', sinceMs: Date.parse(since), figure: Number(count) })
  return [...checks.values()]
}

/** The users of a Space whose own mails about incidents fail: a mail about failing mails does not reach them either. */
export async function usersWithFailingMails(
  tx: Db,
  spaceId: string,
  nowMs: number,
): Promise<ReadonlySet<string>> {
  const userIds: string[] = await tx('outbox')
    .join('alertMails as alert', 'alert.id', 'outbox.linkId')
    .where('outbox.failedAt', '>', isoTime(nowMs - countsForMs))
    .whereNull('outbox.sentAt')
    .where({ 'outbox.spaceId': spaceId })
    .pluck('alert.userId')
  return new Set(userIds)
}
