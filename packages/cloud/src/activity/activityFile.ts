// The activity as a file for a spreadsheet: the actions that fit the filters, newest first, page by page.

import type { Language } from '@callgate/contract/language'
import { isProblem } from '@callgate/contract/rest/problem'
import { isoTime, type World } from '@callgate/world/world'
import type { Database, Db } from '../database/database.ts'
import { cursorOf } from '../database/paging.ts'
import type { AppHandlers } from '../http/handler.ts'
import { byteOrderMark, csvLines } from '../text/csv.ts'
import { sayPerson } from '../text/identityText.ts'
import { wallClockMs } from '../text/zonedTime.ts'
import { readActivity } from './activityLog.ts'

type Filter = Parameters<typeof readActivity>[1]
type ActivityFileQuery = Omit<Parameters<typeof readActivity>[2], 'cursor' | 'limit'>
type Page = Exclude<Awaited<ReturnType<typeof readActivity>>, { problem: unknown }>

const columns = ['id', 'doneAt', 'time', 'action', 'by', 'kind', 'to', 'details']

interface Spoken {
  readonly language: Language
  readonly timezone: string
}

function lineOf(row: Page['rows'][number], { language, timezone }: Spoken): string[] {
  const { action, actor, details, id, targetLabel, targetType, timestamp } = row
  const wall = isoTime(wallClockMs(Date.parse(timestamp), timezone))
  const [by, to] = [sayPerson(actor, language), sayPerson(targetLabel, language)]
  return [id, timestamp, wall.slice(0, 19).replace('T', ' '), action, by, targetType, to, details]
}

/** The number of entries in one piece of the file: the details of one entry may be long. */
const entriesInPiece = 50

async function* piecesOf(
  db: Db,
  {
    asked,
    filter,
    first,
  }: { readonly filter: Filter; readonly asked: ActivityFileQuery; readonly first: Page },
): AsyncGenerator<string> {
  const space: Spoken = await db('spaces').where({ id: filter.spaceId }).first('timezone', 'language')
  yield byteOrderMark + csvLines([columns])
  for (let page = first; ; ) {
    const last = page.rows.at(-1)
    if (last) yield csvLines(page.rows.map(row => lineOf(row, space)))
    if (!last || !page.hasMore) return
    const cursor = cursorOf({ at: last.timestamp, id: last.id })
    const next = await readActivity(db, filter, { ...asked, limit: entriesInPiece, cursor })
    if (isProblem(next)) throw new Error(next.message)
    page = next
  }
}

export function activityFileHandlers({
  database: { knex },
  world,
}: {
  readonly database: Database
  readonly world: World
}): Pick<AppHandlers, 'exportActivity'> {
  return {
    async exportActivity({ principal: { spaceId }, query }) {
      const { gateId, memberId, ...asked } = query
      const filter = { spaceId, gateId, memberId }
      // The first page shows whether the filters are valid.
      const first = await readActivity(knex, filter, { ...asked, limit: entriesInPiece, cursor: '' })
      if (isProblem(first)) return first
      const fileName = `activity-${isoTime(world.nowMs()).slice(0, 10)}.csv`
      const pieces = piecesOf(knex, { filter, asked, first })
      return { fileName, contentType: 'text/csv; charset=utf-8', pieces }
    },
  }
}
