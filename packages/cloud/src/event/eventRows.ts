// The SQL of reading events: those of a Space or of one thing, how far a Space has come, and the end of old ones.

import { isoTime, type World } from '@callgate/world/world'
import type { Database, Db } from '../database/database.ts'
import { statement } from '../database/statement.ts'
import type { SpaceEvent } from './events.ts'

/** How long an event is kept, milliseconds. */
export const keptForMs = 24 * 3_600_000

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
  (db, about) => db('events').where(about).orderBy('seq'),
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

const oldestOf = statement<{ readonly spaceId: string }, { readonly seq: number }>((db, { spaceId }) =>
  db('events').where({ spaceId }).orderBy('seq').limit(1).select('seq'),
)

/** The number of the oldest event of the Space that is kept; undefined where none is. */
export async function readOldestSeq(db: Db, spaceId: string): Promise<number | undefined> {
  const [row] = await oldestOf(db, { spaceId })
  return row && Number(row.seq)
}

/** How often old events are looked for, and how many a step deletes: a step must not hold up a press. */
const forgetEveryMs = 60_000
const mostForgotten = 200

/**
 * Deletes some events that have been kept long enough, and those of their Spaces that have lower numbers: an event may be
 * dated before the one that it follows, and what is kept must have no gap. Says whether it found any.
 */
async function forgetSome({ database, world }: { database: Database; world: World }): Promise<boolean> {
  const before = isoTime(world.nowMs() - keptForMs)
  const old: Pick<SpaceEvent, 'spaceId' | 'seq'>[] = await database
    .knex('events')
    .where('at', '<', before)
    .orderBy('at')
    .limit(mostForgotten)
    .select('spaceId', 'seq')
  if (old.length === 0) return false
  const lastOf = new Map<string, number>()
  for (const { seq, spaceId } of old) lastOf.set(spaceId, Math.max(Number(seq), lastOf.get(spaceId) ?? 0))
  await database.write(async tx => {
    for (const [spaceId, last] of lastOf) {
      const first = tx('events').where({ spaceId }).where('seq', '<=', last).orderBy('seq')
      await tx('events').where({ spaceId }).whereIn('seq', first.limit(mostForgotten).select('seq')).delete()
    }
  })
  return true
}

/** Forgets old events from time to time, until the function that it answers is called. */
export function forgetOldEvents(parts: { readonly database: Database; readonly world: World }): () => void {
  const { world } = parts
  let isStopped = false
  async function forgetAll(): Promise<void> {
    while (!isStopped && (await forgetSome(parts))) await world.turn()
  }
  const again = () =>
    world.after(forgetEveryMs, () => {
      forgetAll()
        .catch((error: unknown) => world.log.warn('old events were not deleted', { why: String(error) }))
        .finally(() => {
          if (!isStopped) timer = again()
        })
    })
  let timer = again()
  return () => {
    isStopped = true
    timer.cancel()
  }
}
