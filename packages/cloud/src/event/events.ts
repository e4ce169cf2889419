// Events: each committed change writes a row with its ids, in its own transaction. A reader gets the changed data from the tables
// themselves.

import type { ActivityAction } from '@callgate/contract/rest/activity'
import type { OpeningStep } from '@callgate/contract/rest/openingEvent'
import { isoTime } from '@callgate/world/world'
import { noteEvents } from '../database/commits.ts'
import type { Db } from '../database/database.ts'
import { statement, type Values } from '../database/statement.ts'

/** `gateway.changed`: its network, its modem or its trouble has changed. */
export type EventKind =
  | `opening.${OpeningStep}`
  | `gateway.${'online' | 'offline' | 'changed'}`
  | `incident.${'opened' | 'closed'}`
  | ActivityAction

export interface NewEvent {
  readonly kind: EventKind
  readonly targetId: string
  /** The gate and the member that the event concerns beside the target. */
  readonly gateId?: string | null
  readonly memberId?: string | null
  /** When it happened, milliseconds since the epoch. */
  readonly atMs: number
}

/** A row of the table `events`. */
export interface SpaceEvent {
  readonly spaceId: string
  readonly seq: number
  readonly at: string
  readonly kind: EventKind
  readonly targetId: string
  readonly gateId: string | null
  readonly memberId: string | null
}

/** Counts `count` more events of a Space. The row stays locked until the transaction ends. */
const countOn = statement<{ readonly spaceId: string; readonly count: number }, { readonly lastSeq: number }>(
  (db, { count, spaceId }) =>
    db('eventCounters')
      .insert({ spaceId, lastSeq: count })
      .onConflict('spaceId')
      .merge({ lastSeq: db.raw('"eventCounters"."lastSeq" + ?', [count]) })
      .returning('lastSeq'),
)

const insert = statement<SpaceEvent & Values, never>((db, event) => db('events').insert(event))

/** Writes events of one Space in the transaction `tx`, which commits or rolls them back together with their changes. */
export async function recordEvents(tx: Db, spaceId: string, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const [counted] = await countOn(tx, { spaceId, count: events.length })
  // Not tested: a missing counter; the statement has just written it.
  let seq = Number(counted?.lastSeq ?? 0) - events.length
  for (const { atMs, gateId = null, kind, memberId = null, targetId } of events) {
    seq += 1
    const event = { spaceId, seq, at: isoTime(atMs), kind, targetId }
    await insert(tx, { ...event, gateId, memberId })
    noteEvents(tx, event)
  }
}

/** How far the numbers of events move at a restore: more than a Space can have written since the backup. */
export const skippedAtRestore = 1_000_000_000

/**
 * Deletes all events of restored data, or those of one Space. The numbers after the backup were given to other events, so they
 * are never used again: a reader who has one of them learns that events are missing.
 */
export async function forgetEvents(tx: Db, ofSpaceId?: string): Promise<void> {
  const rows = (table: string, column = 'spaceId') =>
    ofSpaceId === undefined ? tx(table) : tx(table).where(column, ofSpaceId)
  await rows('events').delete()
  const counted = rows('eventCounters').select('spaceId')
  // A Space without events here may have written its first ones since.
  const uncounted: string[] = await rows('spaces', 'id').whereNotIn('id', counted).pluck('id')
  for (const spaceId of uncounted) await tx('eventCounters').insert({ spaceId, lastSeq: 0 })
  await rows('eventCounters').update({ lastSeq: tx.raw('"lastSeq" + ?', [skippedAtRestore]) })
}
