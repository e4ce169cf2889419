// Who opened: finds openings that have ended in the events of Spaces where somebody wants to know, once over all clouds.

import { openingClassOf } from '@callgate/contract/call/openingClass'
import { repeat } from '@callgate/world/repeat'
import { isoTime, type World } from '@callgate/world/world'
import type { OpeningRow } from '../core/opening.ts'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { readEventsAfter, readNewestSeq } from '../event/eventRows.ts'
import type { SpaceEvent } from '../event/events.ts'
import { spacesToLookAt } from './pushDevices.ts'
import type { PushSender } from './pushSender.ts'

interface OpeningPushesParts {
  readonly world: World
  readonly database: Database
  readonly sender: PushSender
}

export const lookEveryMs = 2_000
/** How many events of a Space one look reads. Older ones are passed over: a push is no history. */
const most = 200
/** An opening that ended longer ago is no news: nothing has served meanwhile. Milliseconds. */
const newsForMs = 5 * 60_000

const isEnd = ({ kind }: SpaceEvent) => kind === 'opening.ended'

async function readCursor(db: Db, spaceId: string): Promise<number | undefined> {
  const row = await db('pushCursors').where({ spaceId }).first('seq')
  return row && Number(row.seq)
}

/**
 * The ids of the openings that have ended after the cursor, which moves behind all events. The lock of the Space lets one cloud have
 * each of them.
 */
function claimEnded({ database, world }: OpeningPushesParts, spaceId: string): Promise<readonly string[]> {
  return database.write(
    async tx => {
      const newest = await readNewestSeq(tx, spaceId)
      const cursor = (await readCursor(tx, spaceId)) ?? newest
      const events = await readEventsAfter(tx, { spaceId, seq: Math.max(cursor, newest - most), most })
      await tx('pushCursors').insert({ spaceId, seq: newest }).onConflict('spaceId').merge()
      const since = isoTime(timeIn(tx, world) - newsForMs)
      return events.filter(event => isEnd(event) && event.at > since).map(({ targetId }) => targetId)
    },
    { spaceId },
  )
}

/** Whether a look would find an end. Without one nothing is written, until the events are many. */
async function isDue({ database: { knex } }: OpeningPushesParts, spaceId: string): Promise<boolean> {
  const cursor = await readCursor(knex, spaceId)
  if (cursor === undefined) return true
  const events = await readEventsAfter(knex, { spaceId, seq: cursor, most })
  return events.length === most || events.some(isEnd)
}

async function lookAt(parts: OpeningPushesParts, spaceId: string): Promise<void> {
  const { database, sender } = parts
  if (!(await isDue(parts, spaceId))) return
  const ids = await claimEnded(parts, spaceId)
  const rows = await database.knex<OpeningRow>('openings').where({ spaceId }).whereIn('id', ids).orderBy('id')
  for (const row of rows as OpeningRow[])
    if (['opened', 'probably_opened'].includes(openingClassOf(row)))
      await sender.tell({ kind: 'opening', spaceId, id: row.id }, row.userId)
}

/** Tells of openings until the returned function is called. */
export function followOpenings(parts: OpeningPushesParts): () => Promise<void> {
  const { database, world } = parts
  const failed = (why: string) => world.log.warn('openings were not looked for', { why })
  async function look(): Promise<void> {
    for (const spaceId of await spacesToLookAt(database.knex)) {
      await lookAt(parts, spaceId).catch((error: unknown) => failed(String(error)))
      await world.turn()
    }
  }
  return repeat(world, lookEveryMs, look, failed)
}
