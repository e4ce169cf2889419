// The history as a file for a spreadsheet: the presses that fit the filters, newest first, page by page.

import type { OpeningRecord } from '@callgate/contract/app/openingRecord'
import { sayReason } from '@callgate/contract/call/sayReason'
import type { Language } from '@callgate/contract/language'
import { isProblem } from '@callgate/contract/rest/problem'
import { isoTime, type World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import type { AppHandlers } from '../http/handler.ts'
import { byteOrderMark, csvLines } from '../text/csv.ts'
import { sayPerson } from '../text/identityText.ts'
import { wallClockMs } from '../text/zonedTime.ts'
import { type HistoryAsked, type Reading, readHistory } from './historyPages.ts'
import type { RecordRow } from './openingRecords.ts'

const columns = [
  'id',
  'pressedAt',
  'time',
  'gate',
  'result',
  'reason',
  'by',
  'seconds',
  'gatewayId',
  'joined',
]

interface Spoken {
  readonly language: Language
  readonly timezone: string
}

const results: Readonly<Record<OpeningRecord['class'], string>> = {
  running: 'running',
  opened: 'opened',
  probably_opened: 'probably opened',
  did_not_open: 'did not open',
  not_called: 'not called',
  denied: 'denied',
  unknown: 'unknown: look at the gate',
}

function lineOf(row: RecordRow, { language, timezone }: Spoken): string[] {
  const { actorName, calledAt, completedAt, gateId, gateName, gatewayId, id, joinedOpeningId, reason } = row
  const atMs = Date.parse(calledAt)
  const said = reason === null ? '' : sayReason(reason, { gateId, safeToRetry: false })
  const seconds = completedAt === null ? '' : String((Date.parse(completedAt) - atMs) / 1000)
  const time = isoTime(wallClockMs(atMs, timezone)).slice(0, 19).replace('T', ' ')
  const result = results[row.class]
  return [
    id,
    calledAt,
    time,
    gateName,
    result,
    said,
    sayPerson(actorName, language),
    seconds,
    gatewayId ?? '',
    joinedOpeningId ?? '',
  ]
}

/** How many presses one piece of the file contains. */
const pressesInPiece = 200

async function* piecesOf(
  reading: Reading,
  { asked, first }: { readonly asked: HistoryAsked; readonly first: Page },
): AsyncGenerator<string> {
  const { db, spaceId } = reading
  const space: Spoken = await db('spaces').where({ id: spaceId }).first('timezone', 'language')
  yield byteOrderMark + csvLines([columns])
  for (let page = first; ; ) {
    if (page.rows.length > 0) yield csvLines(page.rows.map(row => lineOf(row, space)))
    if (page.nextCursor === null) return
    const next = await readHistory(reading, { ...asked, cursor: page.nextCursor })
    if (isProblem(next)) throw new Error(next.message)
    page = next
  }
}

type Page = Exclude<Awaited<ReturnType<typeof readHistory>>, { problem: unknown }>

export function historyFileHandlers({
  database: { knex },
  world,
}: {
  readonly database: Database
  readonly world: World
}): Pick<AppHandlers, 'exportHistory'> {
  return {
    async exportHistory({ principal: { spaceId }, query }) {
      const asked = { ...query, limit: pressesInPiece }
      // The first page shows whether the filters are valid.
      const reading = { db: knex, spaceId, giveWay: () => world.turn(spaceId) }
      const first = await readHistory(reading, asked)
      if (isProblem(first)) return first
      const fileName = `openings-${isoTime(world.nowMs()).slice(0, 10)}.csv`
      const pieces = piecesOf(reading, { asked, first })
      return { fileName, contentType: 'text/csv; charset=utf-8', pieces }
    },
  }
}
