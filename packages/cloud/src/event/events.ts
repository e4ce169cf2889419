// Events: each committed change writes a row with its ids, in its own transaction. A reader gets the changed data from the tables
// themselves.

import type { ActivityAction } from '@callgate/contract/rest/activity'
import type { OpeningStep } from '@callgate/contract/rest/openingEvent'
import { isoTime } from '@callgate/world/world'
import { noteEvents } from '../database/commits.ts'
import { type Db, runSql } from '../database/database.ts'
import { isPostgres } from '../database/dialect.ts'
import { sent } from '../database/pipeline.ts'
import { statement } from '../database/statement.ts'
import { deliverAfter, deliverySql } from './deliveryRows.ts'

/** `gateway.changed`: its network, its modem or its trouble has changed. */
export type EventKind =
  | `opening.${OpeningStep}`
  | `gateway.${'online' | 'offline' | 'changed'}`
  | `incident.${'opened' | 'closed'}`
  | 'events.reset'
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
interface Counted {
  readonly lastSeq: number
  readonly hasWebhooks: boolean | number
}

const countOn = statement<{ readonly spaceId: string; readonly count: number }, Counted>(
  (db, { count, spaceId }) =>
    db('eventCounters')
      .insert({ spaceId, lastSeq: count })
      .onConflict('spaceId')
      .merge({ lastSeq: db.raw('"eventCounters"."lastSeq" + ?', [count]) })
      .returning(['lastSeq', 'hasWebhooks']),
)

const columns = ['spaceId', 'seq', 'at', 'kind', 'targetId', 'gateId', 'memberId'] as const

/**
 * SQL that writes the last `count` events that a Space has counted, so it needs no answer of that. Both databases name the
 * columns of such values column1, column2 and so on. On Postgres it also writes their deliveries to the webhooks of the Space.
 */
function insertSql(count: number, isForPostgres: boolean): string {
  let place = 0
  const value = () => (isForPostgres ? `$${++place}` : '?')
  const given = Array.from({ length: count }, (_, event) => {
    const values = columns.slice(2).map(value)
    return `(${[count - 1 - event, ...values].join(', ')})`
  })
  const read = columns.slice(2).map((name, column) => `column${column + 2} as "${name}"`)
  const made = `select "spaceId", "lastSeq" - column1 as "seq", ${read.join(', ')}`
  const from = `from "eventCounters", (values ${given.join(', ')}) as "event" where "spaceId" = ${value()}`
  const into = `insert into "events" (${columns.map(name => `"${name}"`).join(', ')})`
  if (!isForPostgres) return `${into} ${made} ${from}`
  return `with "made" as (${made}, "hasWebhooks" ${from}),
    "written" as (${into} select ${columns.map(name => `"${name}"`).join(', ')} from "made")
    ${deliverySql('"made"')} and "event"."hasWebhooks"`
}

/** Writes events of one Space in the transaction `tx`, which commits or rolls them back together with their changes. */
export async function recordEvents(tx: Db, spaceId: string, events: readonly NewEvent[]): Promise<void> {
  const last = events.at(-1)
  if (!last) return
  let isDelivered = false
  let seq = 0
  const note = ([counted]: readonly Counted[]) => {
    // Not tested: a missing counter; the statement has just written it.
    seq = Number(counted?.lastSeq ?? 0)
    isDelivered = Boolean(counted?.hasWebhooks)
    const { kind, targetId } = last
    noteEvents(tx, { spaceId, seq, at: isoTime(last.atMs), kind, targetId }, isDelivered)
  }
  await sent(tx, countOn(tx, { spaceId, count: events.length }).then(note))
  const sql = insertSql(events.length, isPostgres(tx))
  const values = events.flatMap(({ atMs, gateId = null, kind, memberId = null, targetId }) => [
    isoTime(atMs),
    kind,
    targetId,
    gateId,
    memberId,
  ])
  await sent(tx, runSql(tx, sql, [...values, spaceId]))
  if (!isPostgres(tx) && isDelivered) await deliverAfter(tx, { spaceId, after: seq - events.length })
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
  await rows('webhookDeliveries').delete()
  const counted = rows('eventCounters').select('spaceId')
  // A Space without events here may have written its first ones since.
  const uncounted: string[] = await rows('spaces', 'id').whereNotIn('id', counted).pluck('id')
  for (const spaceId of uncounted) await tx('eventCounters').insert({ spaceId, lastSeq: 0 })
  await rows('eventCounters').update({ lastSeq: tx.raw('"lastSeq" + ?', [skippedAtRestore]) })
}
