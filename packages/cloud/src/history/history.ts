// The dashboard's history: presses with their classes, the number of presses on each day, and what was seen of a gate.

import { type DayCounts, historyDays } from '@callgate/contract/app/openingRecord'
import type { OpeningClass } from '@callgate/contract/call/openingClass'
import { isProblem } from '@callgate/contract/rest/problem'
import { isoTime, type World } from '@callgate/world/world'
import { lastDays } from '../core/days.ts'
import type { Database } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { statement, type Values } from '../database/statement.ts'
import type { AppHandlers } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import { endedOfClass } from '../opening/openingRows.ts'
import { readHistory } from './historyPages.ts'
import { recordObservation } from './observations.ts'
import { type RecordRow, recordColumns, toRecords } from './openingRecords.ts'

const recordAt = statement<{ readonly spaceId: string; readonly id: string }, RecordRow>((db, place) =>
  db('openings').select(recordColumns).where(place),
)

interface CountValues extends Values {
  readonly spaceId: string
  readonly class: OpeningClass
  readonly from: string
  readonly to: string
}

/** The presses of one class in a span of time. Exported for the test of its query plan. */
export const countClass = statement<CountValues, { readonly presses: number }>(
  (db, { class: only, from, spaceId, to }) =>
    endedOfClass(db, { spaceId, class: only })
      .where('calledAt', '>=', from)
      .where('calledAt', '<', to)
      .count({ presses: '*' }),
)

const counted = {
  opened: 'opened',
  probably_opened: 'opened',
  did_not_open: 'didNotOpen',
  not_called: 'didNotOpen',
  denied: 'denied',
  unknown: 'unknown',
} as const satisfies Partial<Record<OpeningClass, keyof DayCounts>>

/** Parts of a day that are each counted in one turn of the event loop, because a day may have a million presses. */
const partsOfDay = 6

async function countDay(
  { database, world }: { readonly database: Database; readonly world: World },
  spaceId: string,
  { date, endsMs, startsMs }: ReturnType<typeof lastDays>[number],
): Promise<DayCounts> {
  const counts = { date, opened: 0, didNotOpen: 0, unknown: 0, denied: 0 }
  const partMs = (endsMs - startsMs) / partsOfDay
  for (let part = 0; part < partsOfDay; part++) {
    await world.turn(spaceId)
    const from = isoTime(Math.round(startsMs + part * partMs))
    const to = isoTime(Math.round(startsMs + (part + 1) * partMs))
    for (const [only, name] of Object.entries(counted)) {
      const [row] = await countClass(database.knex, { spaceId, class: only as OpeningClass, from, to })
      counts[name] += Number(row?.presses ?? 0)
    }
  }
  return counts
}

export function historyHandlers(parts: {
  readonly database: Database
  readonly world: World
}): Pick<AppHandlers, 'listHistory' | 'getHistoryCounts' | 'observeOpening'> {
  const { database, world } = parts
  return {
    async listHistory({ principal, query }) {
      const { spaceId } = principal
      const giveWay = () => world.turn(spaceId)
      const page = await readHistory({ db: database.knex, spaceId, giveWay }, query)
      if (isProblem(page)) return page
      const openings = await toRecords(database.knex, page.rows)
      const pagination = { limit: query.limit, nextCursor: page.nextCursor }
      return { status: 200, body: { openings, pagination } }
    },

    observeOpening: ({ body, principal: { spaceId }, params: { openingId }, write }) =>
      write(async tx => {
        const [row] = await recordAt(tx, { spaceId, id: openingId })
        if (!row) return notFound('opening')
        const seenAt = isoTime(timeIn(tx, world))
        await recordObservation(tx, { spaceId, openingId }, { actorType: 'owner', seen: body.seen, seenAt })
        const [opening] = await toRecords(tx, [row])
        return opening ? ({ status: 200, body: { opening } } as const) : notFound('opening')
      }),

    async getHistoryCounts({ principal: { spaceId } }) {
      const { timezone } = await database.knex('spaces').where({ id: spaceId }).first('timezone')
      const days: DayCounts[] = []
      for (const day of lastDays(world.nowMs(), timezone, historyDays))
        days.push(await countDay(parts, spaceId, day))
      return { status: 200, body: { timezone, days } }
    },
  }
}
