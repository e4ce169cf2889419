// Paging: opaque cursors that stay true while rows are added, and the histories, read newest first.

import { crc32 } from 'node:zlib'
import type { Pagination } from '@callgate/contract/rest/paging'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import type { Knex } from 'knex'
import { readInstant } from '../core/instant.ts'
import type { Db } from './database.ts'
import { type Depth, Marks, type Start, skip, type Walk } from './deepOffset.ts'
import { statement, type Values } from './statement.ts'

/** The place of a row in a list that is ordered by a time, ties by id. */
export interface Place {
  /** As `isoTime` writes it. */
  readonly at: string
  readonly id: string
}

export type ReadCursor =
  | { readonly ok: true; readonly after: Place | undefined }
  | { readonly ok: false; readonly problem: Problem }

const placeForm = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([a-z]+_[0-9a-z]{26}) [0-9a-z]+$/

const invalid = (message: string): Problem => ({ problem: 'validation_error', message })

/** The cursor of the page that follows `place`. Its checksum tells a damaged one; it holds nothing secret. */
export function cursorOf({ at, id }: Place): string {
  const text = `${at} ${id}`
  return Buffer.from(`${text} ${crc32(text).toString(36)}`).toString('base64url')
}

/**
 * The place that a client's cursor names; none for the empty text, which asks for the first page. With `idPrefix`, a
 * cursor of another list is refused as well.
 */
export function readCursor(text: string, idPrefix?: string): ReadCursor {
  if (text === '') return { ok: true, after: undefined }
  const [, at = '', id = ''] = placeForm.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? []
  const isOurs = idPrefix === undefined || id.startsWith(`${idPrefix}_`)
  // Encoded again and compared, since the same bytes can be written in more than one way.
  if (isOurs && cursorOf({ at, id }) === text) return { ok: true, after: { at, id } }
  return {
    ok: false,
    problem: invalid(
      'cursor is not one of this list: send the nextCursor of the page before, or nothing for the first',
    ),
  }
}

/** A client's query of a history, without the filters of its own. */
export interface HistoryPage {
  readonly limit: number
  readonly offset?: number
  readonly cursor?: string
  /** The first instant that is included, and the first that is not (RFC 3339). */
  readonly from?: string
  readonly to?: string
}

export interface History<Row> {
  readonly rows: readonly Row[]
  /** `{limit, offset}`, or `{limit, nextCursor}` when a cursor was sent. */
  readonly pagination: Pagination
  /** Whether another page follows. */
  readonly hasMore: boolean
}

/** The filters of a history of its own. */
type Filter = Values

/** Rows that fit a filter, and the columns that put them in order: those of an index that begins with the filter. */
interface Fitting {
  readonly query: Knex.QueryBuilder
  readonly at: string
  readonly id: string
}

/** What is read newest first, by `at`, ties by id. */
interface Order<Row, Own extends Filter> {
  readonly columns: readonly string[]
  readonly at: keyof Row & string
  readonly idPrefix: string
  /** The rows of a Space that fit. It only places the values of the filter, as `statement` asks. */
  fitting(db: Db, filter: Own & { readonly spaceId: string }): Fitting
}

/** The part of the order that a page begins and ends in. Of two upper bounds only the lower one is given. */
interface Span extends Values {
  readonly from?: string
  readonly before?: string
  readonly afterAt?: string
  readonly afterId?: string
}

function readBound(name: 'from' | 'to', text: string | undefined): string | undefined | Problem {
  const bound = text === undefined ? undefined : readInstant(text)
  return text !== undefined && bound === undefined
    ? invalid(`${name} must be a time that exists, in the years 0 to 9999, like "2026-03-29T00:15:00.000Z"`)
    : bound
}

/** The span of a page; or the problem with what the client sent. */
function readSpan({ cursor, from, offset, to }: HistoryPage, idPrefix: string): Span | Problem {
  if (cursor !== undefined && offset !== undefined)
    return invalid('offset does not go together with cursor: send one of them')
  const read = readCursor(cursor ?? '', idPrefix)
  if (!read.ok) return read.problem
  const first = readBound('from', from)
  const before = readBound('to', to)
  if (isProblem(first)) return first
  if (isProblem(before)) return before
  if (first !== undefined && before !== undefined && first >= before) return invalid('from must be before to')
  const lower = first === undefined ? {} : { from: first }
  const { after } = read
  if (after && (before === undefined || after.at < before))
    return { ...lower, afterAt: after.at, afterId: after.id }
  return before === undefined ? lower : { ...lower, before }
}

/** Offsets from here on are looked for; smaller ones are skipped by the query itself. */
const deepOffset = 5_000

/** The walk through the rows that fit a filter and lie in a span. */
function walker<Own extends Filter>({ fitting }: Pick<Order<never, Own>, 'fitting'>) {
  type Asked = Span & { spaceId: string; offset?: number }
  const walked = (db: Db, { afterAt, afterId, before, from, ...rest }: Asked, isNewer: boolean) => {
    const { offset, ...filter } = rest
    const { at, id, query } = fitting(db, filter as unknown as Own & { spaceId: string })
    if (from !== undefined) query.where(at, '>=', from)
    if (before !== undefined) query.where(at, '<', before)
    if (afterAt !== undefined && afterId !== undefined)
      query.whereRaw(`(??, ??) ${isNewer ? '>' : '<'} (?, ?)`, [at, id, afterAt, afterId])
    return { at, id, query, offset: offset ?? 0 }
  }
  const placeOf = (isNewer: boolean) =>
    statement<Asked, Place>((db, asked) => {
      const { at, id, offset, query } = walked(db, asked, isNewer)
      const order = isNewer ? 'asc' : 'desc'
      query.select({ at, id }).limit(1).offset(offset)
      return query.orderBy([at, id].map(column => ({ column, order })))
    })
  const olderPlace = placeOf(false)
  const newerPlace = placeOf(true)
  const countOf = statement<Asked, { readonly rows: number }>((db, asked) =>
    walked(db, asked, true).query.count({ rows: '*' }),
  )
  return (db: Db, filter: Span & { spaceId: string }): Walk => {
    const beyond = (after: Place | undefined) =>
      after ? { ...filter, afterAt: after.at, afterId: after.id } : filter
    const first = ([place]: readonly Place[]) => place
    return {
      older: async (after, rows) => first(await olderPlace(db, { ...beyond(after), offset: rows - 1 })),
      newer: async (after, rows) => first(await newerPlace(db, { ...beyond(after), offset: rows - 1 })),
      countNewer: async than => Number((await countOf(db, beyond(than)))[0]?.rows),
    }
  }
}

/** A reader of a Space's pages of one history. An index makes a deep page of a cursor as cheap as the first. */
export function historyReader<Row extends { readonly id: string }, Own extends Filter>({
  at: shownAt,
  columns,
  fitting,
  idPrefix,
}: Order<Row, Own>): (
  db: Db,
  filter: Own & { readonly spaceId: string },
  page: HistoryPage,
  /** Absent where nobody sends an offset. */
  depth?: Depth,
) => Promise<History<Row> | Problem> {
  type Asked = Span & Own & { spaceId: string; rows: number; offset?: number }
  const rowsOf = statement<Asked, Row>((db, { afterAt, afterId, before, from, offset, rows, ...filter }) => {
    const { at, id, query } = fitting(db, filter as unknown as Own & { spaceId: string })
    const newestFirst = [at, id].map(column => ({ column, order: 'desc' }) as const)
    query.select(columns).orderBy(newestFirst).limit(rows)
    if (offset !== undefined) query.offset(offset)
    if (from !== undefined) query.where(at, '>=', from)
    if (before !== undefined) query.where(at, '<', before)
    if (afterAt !== undefined && afterId !== undefined)
      query.whereRaw('(??, ??) < (?, ?)', [at, id, afterAt, afterId])
    return query
  })
  const walk = walker({ fitting })
  // A database that is closed takes its marks with it.
  const marksOf = new WeakMap<Db, Marks>()

  /** Where the page of an offset begins. */
  async function startOf(
    db: Db,
    asked: Span & { spaceId: string },
    offset: number,
    depth?: Depth,
  ): Promise<Start> {
    if (offset < deepOffset || !depth) return { after: undefined, offset }
    const { spaceId, ...others } = asked
    const isWhole = Object.values(others).every(value => value === undefined)
    if (!isWhole) return skip(walk(db, asked), offset, depth)
    const marks = marksOf.get(db) ?? new Marks()
    marksOf.set(db, marks)
    return marks.find(spaceId, walk(db, { spaceId }), offset, depth)
  }

  return async (db, filter, page, depth) => {
    const span = readSpan(page, idPrefix)
    if (isProblem(span)) return span
    const { cursor, limit, offset = 0 } = page
    const start = cursor === undefined ? await startOf(db, { ...filter, ...span }, offset, depth) : undefined
    if (cursor === undefined && !start) return { rows: [], hasMore: false, pagination: { limit, offset } }
    const { after } = start ?? {}
    const skipped = start && { offset: start.offset, ...(after && { afterAt: after.at, afterId: after.id }) }
    // One more than asked tells whether another page follows.
    const found = await rowsOf(db, { ...filter, ...span, ...skipped, rows: limit + 1 })
    const rows = found.slice(0, limit)
    const hasMore = found.length > limit
    if (cursor === undefined) return { rows, hasMore, pagination: { limit, offset } }
    const last = rows.at(-1)
    const nextCursor = last && hasMore ? cursorOf({ at: String(last[shownAt]), id: last.id }) : null
    return { rows, hasMore, pagination: { limit, nextCursor } }
  }
}
