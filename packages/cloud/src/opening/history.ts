// The dashboard's history: presses with their classes, by filters, and how many there were on each day.

import { type DayCounts, historyDays, type OpeningRecord } from '@callgate/contract/app/openingRecord'
import { hasRung, type OpeningClass } from '@callgate/contract/call/openingClass'
import { idPrefix } from '@callgate/contract/idPrefix'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import { isoTime, type World } from '@callgate/world/world'
import { lastDays } from '../core/days.ts'
import type { OpeningRow } from '../core/opening.ts'
import { byIndex } from '../database/byIndex.ts'
import type { Database, Db } from '../database/database.ts'
import { cursorOf, type HistoryPage, historyReader } from '../database/paging.ts'
import { statement, type Values } from '../database/statement.ts'
import type { AppHandlers } from '../http/handler.ts'
import { lastObservation, recordObservation } from './observations.ts'
import { shownColumns, toOpening } from './openings.ts'

export const recordColumns = [
  ...shownColumns,
  'opened',
  'confidence',
  'joinedOpeningId',
  'gatewayId',
  'grantedAt',
  'memberId',
  'apiKeyId',
  'userId',
  'class',
] as const

export type RecordRow = Pick<OpeningRow, Exclude<(typeof recordColumns)[number], 'class'>> & {
  readonly class: OpeningClass
}

function stepOf({ grantedAt, status }: RecordRow): OpeningRecord['step'] {
  if (status === 'connected') return 'ringing'
  if (status !== 'initiated') return null
  return grantedAt === null ? 'asked' : 'calling'
}

function pressedBy({ apiKeyId, memberId, userId }: RecordRow): OpeningRecord['by'] {
  if (memberId !== null) return { kind: 'member', id: memberId }
  return apiKeyId === null ? { kind: 'user', id: userId } : { kind: 'key', id: apiKeyId }
}

interface Beside {
  readonly joiners: number
  readonly seen: OpeningRecord['seen']
}

function toRecord(row: RecordRow, { joiners, seen }: Beside): OpeningRecord {
  const { confidence, gatewayId, joinedOpeningId, opened, reason, safeToRetry } = row
  return {
    ...toOpening(row),
    class: row.class,
    step: stepOf(row),
    reason,
    opened,
    confidence,
    safeToRetry: safeToRetry === null ? null : Boolean(safeToRetry),
    hasRung: hasRung(reason),
    by: pressedBy(row),
    joinedOpeningId,
    joiners,
    gatewayId,
    seen,
  }
}

const joinersOf = statement<{ readonly id: string }, { readonly joiners: number }>((db, { id }) =>
  db('openings').where({ joinedOpeningId: id }).count({ joiners: '*' }),
)

/** The rows as the dashboard shows them. */
export async function toRecords(db: Db, rows: readonly RecordRow[]): Promise<OpeningRecord[]> {
  const records: OpeningRecord[] = []
  for (const row of rows) {
    const [found] = row.joinedOpeningId === null ? await joinersOf(db, { id: row.id }) : []
    const seen = (await lastObservation(db, row.id)) ?? null
    records.push(toRecord(row, { joiners: Number(found?.joiners ?? 0), seen }))
  }
  return records
}

const recordAt = statement<{ readonly spaceId: string; readonly id: string }, RecordRow>((db, place) =>
  db('openings').select(recordColumns).where(place),
)

const noOpening: Problem = { problem: 'not_found', message: 'There is no opening with this id.' }

interface RecordFilter extends Values {
  readonly gateId: string | undefined
  readonly memberId: string | undefined
  readonly apiKeyId: string | undefined
  readonly userId: string | undefined
  readonly class: OpeningClass | undefined
}

/** The index that holds the fewest rows for a filter: a person has fewer openings than a gate. */
function indexOf({ apiKeyId, class: only, gateId, memberId, userId }: RecordFilter): string {
  if (memberId !== undefined) return 'openings_of_member'
  if (userId !== undefined) return 'openings_of_user'
  if (apiKeyId !== undefined) return 'openings_of_key'
  if (gateId !== undefined) return only === undefined ? 'openings_of_gate' : 'openings_of_gate_by_class'
  return only === undefined ? 'openings_spaceid_calledat_id_index' : 'openings_by_class'
}

/** Presses of at most one class. Exported for the test of its query plans. */
export const readRecords = historyReader<RecordRow, RecordFilter>({
  columns: recordColumns,
  at: 'calledAt',
  idPrefix: idPrefix.opening,
  fitting(db, { spaceId, ...filter }) {
    const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
    const query = byIndex(db, 'openings', indexOf(filter)).where({ spaceId, ...given })
    return { query, at: 'calledAt', id: 'id' }
  },
})

interface RecordPage {
  readonly rows: readonly RecordRow[]
  readonly nextCursor: string | null
}

/** What a request asks of the history. */
export interface HistoryAsked extends HistoryPage {
  readonly gateId?: string
  readonly memberId?: string
  readonly apiKeyId?: string
  readonly userId?: string
  readonly classes?: string
}

/** One page of the history. Each class is read by its index, and they are merged: the index of one is in order. */
export async function readHistory(
  db: Db,
  spaceId: string,
  asked: HistoryAsked,
): Promise<RecordPage | Problem> {
  const { apiKeyId, classes, cursor = '', from, gateId, limit, memberId, to, userId } = asked
  const filter = { spaceId, gateId, memberId, apiKeyId, userId }
  const page = { limit, cursor, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  const wanted = classes === undefined ? [undefined] : [...new Set(classes.split(','))]
  const found: RecordRow[] = []
  let hasMore = false
  for (const only of wanted) {
    const history = await readRecords(db, { ...filter, class: only as OpeningClass | undefined }, page)
    if (isProblem(history)) return history
    found.push(...history.rows)
    hasMore ||= history.hasMore
  }
  const place = ({ calledAt, id }: RecordRow) => `${calledAt} ${id}`
  const rows = found.sort((a, b) => (place(a) > place(b) ? -1 : 1)).slice(0, limit)
  const last = rows.at(-1)
  hasMore ||= found.length > limit
  return { rows, nextCursor: last && hasMore ? cursorOf({ at: last.calledAt, id: last.id }) : null }
}

interface CountValues extends Values {
  readonly spaceId: string
  readonly class: OpeningClass
  readonly from: string
  readonly to: string
}

/** The presses of one class in a stretch of time. Exported for the test of its query plan. */
export const countClass = statement<CountValues, { readonly presses: number }>(
  (db, { class: only, from, spaceId, to }) =>
    byIndex(db, 'openings', 'openings_by_class')
      .where({ spaceId, class: only })
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

/** Parts of a day that are counted in one turn of the event loop each, since a day may have a million presses. */
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
    async listHistory({ caller, query }) {
      const page = await readHistory(database.knex, caller.spaceId, query)
      if (isProblem(page)) return page
      const openings = await toRecords(database.knex, page.rows)
      const pagination = { limit: query.limit, nextCursor: page.nextCursor }
      return { status: 200, body: { openings, pagination } }
    },

    observeOpening: ({ body, caller: { spaceId }, params: { openingId }, write }) =>
      write(async tx => {
        const [row] = await recordAt(tx, { spaceId, id: openingId })
        if (!row) return noOpening
        const seenAt = isoTime(world.nowMs())
        await recordObservation(tx, { spaceId, openingId }, { actorType: 'owner', seen: body.seen, seenAt })
        const [opening] = await toRecords(tx, [row])
        return opening ? ({ status: 200, body: { opening } } as const) : noOpening
      }),

    async getHistoryCounts({ caller: { spaceId } }) {
      const { timezone } = await database.knex('spaces').where({ id: spaceId }).first('timezone')
      const days: DayCounts[] = []
      for (const day of lastDays(world.nowMs(), timezone, historyDays))
        days.push(await countDay(parts, spaceId, day))
      return { status: 200, body: { timezone, days } }
    },
  }
}
