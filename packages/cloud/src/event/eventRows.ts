// The SQL of reading events: those of a Space or of one thing, the last number of a Space, and the deletion of old ones.

import { repeat } from '@callgate/world/repeat'
import { isoTime, type World } from '@callgate/world/world'
import { byIndex } from '../database/byIndex.ts'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { statement } from '../database/statement.ts'
import type { SpaceEvent } from './events.ts'

/** How long an event is kept, milliseconds. */
export const keptForMs = 7 * 24 * 3_600_000

const numbered = (rows: readonly SpaceEvent[]) => rows.map(row => ({ ...row, seq: Number(row.seq) }))

const eventsAfter = statement<
  { readonly spaceId: string; readonly seq: number; readonly most: number },
  SpaceEvent
>((db, { most, seq, spaceId }) =>
  db('events').where({ spaceId }).where('seq', '>', seq).orderBy('seq').limit(most),
)

/** The events of a Space after the number `seq`, in their order, at most `most`. */
export async function readEventsAfter(
  db: Db,
  after: { readonly spaceId: string; readonly seq: number; readonly most: number },
): Promise<readonly SpaceEvent[]> {
  return numbered(await eventsAfter(db, after))
}

const eventsAbout = statement<{ readonly spaceId: string; readonly targetId: string }, SpaceEvent>(
  (db, about) => byIndex(db, 'events', 'events_targetid_seq_index').where(about).orderBy('seq'),
)

/** All kept events about one thing of a Space, in their order. */
export async function readEventsAbout(
  db: Db,
  about: { readonly spaceId: string; readonly targetId: string },
): Promise<readonly SpaceEvent[]> {
  return numbered(await eventsAbout(db, about))
}

const counterOf = statement<{ readonly spaceId: string }, { readonly lastSeq: number }>((db, { spaceId }) =>
  db('eventCounters').where({ spaceId }).select('lastSeq'),
)

/** The number of the Space's newest event; 0 before the first. */
export async function readNewestSeq(db: Db, spaceId: string): Promise<number> {
  const [row] = await counterOf(db, { spaceId })
  return Number(row?.lastSeq ?? 0)
}

/** The same for many Spaces. */
export async function readNewestSeqs(
  db: Db,
  spaceIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db('eventCounters').whereIn('spaceId', spaceIds).select('spaceId', 'lastSeq')
  return new Map(rows.map(({ lastSeq, spaceId }) => [String(spaceId), Number(lastSeq)]))
}

const oldestOf = statement<
  { readonly spaceId: string; readonly most: number },
  Pick<SpaceEvent, 'seq' | 'at'>
>((db, { most, spaceId }) => db('events').where({ spaceId }).orderBy('seq').limit(most).select('seq', 'at'))

/** The number of the Space's oldest kept event; undefined where none is kept. */
export async function readOldestSeq(db: Db, spaceId: string): Promise<number | undefined> {
  const [row] = await oldestOf(db, { spaceId, most: 1 })
  return row && Number(row.seq)
}

/** How often old events are deleted, and how many in one step: a step must not delay a press. */
const forgetEveryMs = 60_000
const mostForgotten = 200
/** How many Spaces are checked in one turn of the event loop. */
const spacesInTurn = 50

interface EventRowsParts {
  readonly database: Database
  readonly world: World
}

/**
 * Deletes the oldest events of a Space that have been kept long enough, some at a time. Returns whether there may be more. An
 * event may be dated before the one that it follows, and the kept events must have no gap, so it waits for the earlier ones.
 */
async function forgetSome({ database, world }: EventRowsParts, spaceId: string): Promise<boolean> {
  const keptSince = (nowMs: number) => isoTime(nowMs - keptForMs)
  const [oldest] = await oldestOf(database.knex, { spaceId, most: 1 })
  if (!oldest || oldest.at >= keptSince(world.nowMs())) return false
  return database.write(
    async tx => {
      // One of several clouds whose clock is a day ahead must not delete what the others have just written.
      const before = keptSince(timeIn(tx, world))
      const rows = await oldestOf(tx, { spaceId, most: mostForgotten })
      const last = rows.findLast(({ at }) => at < before)
      if (!last) return false
      for (const table of ['events', 'webhookDeliveries'])
        await tx(table).where({ spaceId }).where('seq', '<=', Number(last.seq)).delete()
      return rows.length === mostForgotten
    },
    { spaceId },
  )
}

/** The Spaces that have events, in the order of their ids, some at a time. */
async function spacesAfter(db: Db, spaceId: string): Promise<readonly string[]> {
  const rows = await db('eventCounters')
    .where('spaceId', '>', spaceId)
    .orderBy('spaceId')
    .limit(spacesInTurn)
    .select('spaceId')
  return rows.map(row => String(row.spaceId))
}

/** Deletes old events, with their deliveries, from time to time, until the returned function is called. */
export function forgetOldEvents(parts: EventRowsParts): () => void {
  const { database, world } = parts
  async function forgetAll(isStopped: () => boolean): Promise<void> {
    let spaceIds = await spacesAfter(database.knex, '')
    while (spaceIds.length > 0 && !isStopped()) {
      for (const spaceId of spaceIds)
        while (!isStopped() && (await forgetSome(parts, spaceId))) await world.turn()
      await world.turn()
      spaceIds = await spacesAfter(database.knex, spaceIds.at(-1) ?? '')
    }
  }
  const stop = repeat(world, forgetEveryMs, forgetAll, why =>
    world.log.warn('old events were not deleted', { why }),
  )
  return () => void stop()
}
