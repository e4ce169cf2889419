// Pages of the dashboard's history: presses by gate, person and class, each page with limited work.

import type { OpeningClass } from '@callgate/contract/call/openingClass'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import type { Db } from '../database/database.ts'
import { cursorOf, type HistoryPage } from '../database/paging.ts'
import { type OpeningFilter, openingReader } from './openingReader.ts'
import { type RecordRow, recordColumns } from './openingRecords.ts'

type RecordFilter = {
  readonly [Name in 'gateId' | 'memberId' | 'apiKeyId' | 'userId' | 'class']: OpeningFilter[Name]
}

/** Presses of at most one class. Exported for the test of its query plans. */
export const readRecords = openingReader<RecordRow, RecordFilter>(recordColumns)

/** A page may contain fewer presses than requested, although more follow. */
interface RecordPage {
  readonly rows: readonly RecordRow[]
  readonly nextCursor: string | null
}

/** The query of a request for the history. */
export interface HistoryAsked extends HistoryPage {
  readonly gateId?: string
  readonly memberId?: string
  readonly apiKeyId?: string
  readonly userId?: string
  readonly classes?: string
}

/** Where and how a page is read. */
export interface Reading {
  readonly db: Db
  readonly spaceId: string
  /** Ends the turn of the event loop. */
  giveWay(): Promise<void>
}

/** No filter of the history. Exported for the tests of its query plans. */
export const noFilter = {
  gateId: undefined,
  memberId: undefined,
  apiKeyId: undefined,
  userId: undefined,
  class: undefined,
}
const after = ({ calledAt, id }: RecordRow) => cursorOf({ at: calledAt, id })
const spanOf = ({ from, to }: HistoryAsked) => ({
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
})

/** How many presses of a person are searched for one page, and how many of them in one turn of the event loop. */
const lookedThrough = 5_000
const inTurn = 500

/**
 * The presses of one person that fit the other filters. They are searched, because no index has both. A key can have millions of
 * presses, so a page ends after a limited search.
 */
async function readPersons(
  { db, giveWay, spaceId }: Reading,
  person: Partial<RecordFilter>,
  asked: HistoryAsked,
): Promise<RecordPage | Problem> {
  const { classes, cursor = '', gateId, limit } = asked
  const wanted = classes?.split(',')
  const fits = (row: RecordRow) =>
    (gateId === undefined || row.gateId === gateId) && (wanted === undefined || wanted.includes(row.class))
  const found: RecordRow[] = []
  let from = cursor
  for (let looked = 0; looked < lookedThrough; looked += inTurn) {
    const page = { limit: inTurn, cursor: from, ...spanOf(asked) }
    const history = await readRecords(db, { spaceId, ...noFilter, ...person }, page)
    if (isProblem(history)) return history
    for (const row of history.rows) {
      const last = found.at(-1)
      if (last && found.length === limit && fits(row)) return { rows: found, nextCursor: after(last) }
      if (fits(row)) found.push(row)
    }
    const last = history.rows.at(-1)
    if (!last || !history.hasMore) return { rows: found, nextCursor: null }
    from = after(last)
    await giveWay()
  }
  return { rows: found, nextCursor: from }
}

/** One page of the history. Each class is read by its index, which is sorted, and the classes are merged. */
export async function readHistory(reading: Reading, asked: HistoryAsked): Promise<RecordPage | Problem> {
  const { apiKeyId, classes, cursor = '', gateId, limit, memberId, userId } = asked
  const person = Object.entries({ memberId, userId, apiKeyId }).find(([, id]) => id !== undefined)
  if (person) return readPersons(reading, Object.fromEntries([person]), asked)
  const { db, spaceId } = reading
  const filter = { spaceId, ...noFilter, gateId }
  const page = { limit, cursor, ...spanOf(asked) }
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
  return { rows, nextCursor: last && hasMore ? after(last) : null }
}
