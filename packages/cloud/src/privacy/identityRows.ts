// The SQL that removes identities: the openings and the activity entries of one member, in batches and in order.

import { isoTime } from '@callgate/world/world'
import type { Knex } from 'knex'
import { mailLimits } from '../core/mailLimits.ts'
import { byIndex } from '../database/byIndex.ts'
import type { Db } from '../database/database.ts'
import { statement, type Values } from '../database/statement.ts'
import type { NamedEntry } from './core/identities.ts'

/** A member of a Space. */
export interface Of extends Values {
  readonly spaceId: string
  readonly memberId: string
}

/** A place in the order of time, then of ids. */
export interface RowPosition {
  readonly at: string
  readonly id: string
}

interface After extends Values {
  readonly rows: number
  readonly afterAt?: string
  readonly afterId?: string
}

export const afterOf = (place: RowPosition | undefined, rows: number): After => ({
  rows,
  ...(place && { afterAt: place.at, afterId: place.id }),
})

function inOrder(query: Knex.QueryBuilder, columns: readonly [string, string], after: After) {
  const { afterAt, afterId, rows } = after
  if (afterAt !== undefined && afterId !== undefined)
    query.whereRaw('(??, ??) > (?, ?)', [...columns, afterAt, afterId])
  return query.orderBy([...columns]).limit(rows)
}

export interface OpeningOf {
  readonly id: string
  readonly calledAt: string
  readonly actorName: string
  readonly actorEmail: string | null
}

/** The openings of a member, oldest first. Exported for the test of its query plan. */
export const openingsOf = statement<Of & After, OpeningOf>((db, { memberId, spaceId, ...after }) =>
  inOrder(
    byIndex(db, 'openings', 'openings_of_member').where({ spaceId, memberId }),
    ['calledAt', 'id'],
    after as After,
  ).select('id', 'calledAt', 'actorName', 'actorEmail'),
)

/** The replacement of a person in an opening. */
interface Nobody extends Values {
  readonly actorName: string
  readonly actorEmail: null
}

interface OneOpening extends Values {
  readonly spaceId: string
  readonly id: string
}

/**
 * Replaces the person in one row. With a list of ids, SQLite would read all openings of the Space. Exported for the test of its
 * query plan.
 */
export const nameNobody = statement<OneOpening & Nobody, never>(
  (db, { actorEmail, actorName, id, spaceId }) =>
    db('openings').where({ id, spaceId }).update({ actorName, actorEmail }),
)

/** The same, and removes the ids of the person. */
export const forgetOpening = statement<OneOpening & Nobody, never>(
  (db, { actorEmail, actorName, id, spaceId }) =>
    db('openings').where({ id, spaceId }).update({
      actorName,
      actorEmail,
      usageHeld: false,
      memberId: null,
      userId: null,
      sessionId: null,
      accessId: null,
    }),
)

/**
 * Deletes the records of mails to erased members. Records of the last day are still counted, so that nobody can fill an inbox by
 * adding and erasing members.
 */
export async function forgetCountedMails(
  tx: Db,
  { memberId, spaceId }: { readonly spaceId: string; readonly memberId: string | Knex.QueryBuilder },
  nowMs: number,
): Promise<void> {
  const records = tx('mailRecords')
    .where({ spaceId })
    .where('createdAt', '<=', isoTime(nowMs - mailLimits.windowMs))
  if (typeof memberId === 'string') records.where({ memberId })
  else records.whereIn('memberId', memberId)
  await records.delete()
}

export interface EntryOf {
  readonly id: string
  readonly actor: string
  readonly targetType: string
  readonly targetLabel: string
  /** JSON. */
  readonly details: string
  readonly timestamp: string
}

/** The entries of the activity that are about a member, oldest first. Exported for the test of its query plan. */
export const entriesOf = statement<Of & After, EntryOf>((db, { memberId, spaceId, ...after }) =>
  inOrder(
    db('activityConcerns as c')
      .join('activity as a', 'a.id', 'c.activityId')
      .where({ 'c.spaceId': spaceId, 'c.concernedId': memberId }),
    ['c.timestamp', 'c.activityId'],
    after as After,
  ).select('a.id', 'a.actor', 'a.targetType', 'a.targetLabel', 'a.details', 'a.timestamp'),
)

/**
 * Runs `work`, which may remove identities from the activity. All other changes of an entry stay forbidden, also for other
 * transactions.
 */
export async function removing<T>(tx: Db, spaceId: string, work: () => Promise<T>): Promise<T> {
  await tx('identityRemovals').insert({ spaceId })
  const done = await work()
  await tx('identityRemovals').where({ spaceId }).delete()
  return done
}

/** Writes an entry without identities; call it inside `removing`. */
export async function writeEntry(tx: Db, spaceId: string, id: string, entry: NamedEntry): Promise<void> {
  const { actor, details, targetLabel } = entry
  await tx('activity')
    .where({ id, spaceId })
    .update({ actor, targetLabel, details: JSON.stringify(details) })
}

export const namedEntry = ({ actor, details, targetLabel, targetType }: EntryOf): NamedEntry => ({
  actor,
  targetType,
  targetLabel,
  details: JSON.parse(details) as NamedEntry['details'],
})
