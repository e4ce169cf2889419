// Paging: opaque cursors that stay valid while rows are added, and the histories, read newest first.

import { crc32 } from 'node:zlib'
import type { Pagination } from '@callgate/contract/rest/paging'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import type { Knex } from 'knex'
import { readInstant } from '../core/instant.ts'
import type { Db } from './database.ts'
import { type Depth, Marks, type Piece, type Start, scan, skip, type Walk } from './deepOffset.ts'
import { inTurn } from './longReads.ts'
import { statement, type Values } from './statement.ts'

/** The place of a row in a list that is sorted by a time, then by id. */
export interface PagePosition {
  /** A time in the form of `isoTime`. */
  readonly at: string
  readonly id: string
}

export type ReadCursor =
  | { readonly ok: true; readonly after: PagePosition | undefined }
  | { readonly ok: false; readonly problem: Problem }

const placeForm = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([a-z]+_[0-9a-z]{26}) [0-9a-z]+$/

const invalid = (message: string): Problem => ({ problem: 'validation_error', message })

/** The cursor of the page that follows `place`. Its checksum detects damage; it contains nothing secret. */
export function cursorOf({ at, id }: PagePosition): string {
  const text = `${at} ${id}`
  return Buffer.from(`${text} ${crc32(text).toString(36)}`).toString('base64url')
}

/**
 * The place that a client's cursor names; none for the empty text, which asks for the first page. With `idPrefix`, a cursor of
 * another list is refused as well.
 */
export function readCursor(text: string, idPrefix?: string): ReadCursor {
  if (text === '') return { ok: true, after: undefined }
  const [, at = '', id = ''] = placeForm.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? []
  const isOurs = idPrefix === undefined || id.startsWith(`${idPrefix}_`)
  // Encoded again and compared, because the same bytes can be written in more than one way.
  if (isOurs && cursorOf({ at, id }) === text) return { ok: true, after: { at, id } }
  return {
    ok: false,
    problem: invalid(
      'cursor is not one of this list: send the nextCursor of the page before, or nothing for the first',
    ),
  }
}

/** A client's query of a history, without the history's own filters. */
export interface HistoryPage {
  readonly limit: number
  readonly offset?: number
  readonly cursor?: string
  /** The first instant of the span, and the first one after it (RFC 3339). */
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

/** The history's own filters. */
type Filter = Values

/** The rows that fit a filter, and the columns that sort them: those of an index that begins with the filter. */
interface Fitting {
  readonly query: Knex.QueryBuilder
  readonly at: string
  readonly id: string
}

/** A history that is read newest first, by `at`, then by id. */
interface Order<Row, Own extends Filter> {
  readonly columns: readonly string[]
  readonly at: keyof Row & string
  readonly idPrefix: string
  /** The fitting rows of a Space. It must only place the values of the filter, as `statement` requires. */
  fitting(db: Db, filter: Own & { readonly spaceId: string }): Fitting
  /** Where no index begins with the whole filter: a part of it for which one does. */
  wider?(filter: Own): Partial<Own> | undefined
}

/** The limits of a page in the order of the history. Of two upper limits only the lower one is given. */
interface Span extends Values {
  readonly from?: string
  readonly before?: string
  readonly afterAt?: string
  readonly afterId?: string
  readonly endAt?: string
  readonly endId?: string
}

function readBound(name: 'from' | 'to', text: string | undefined): string | undefined | Problem {
  const bound = text === undefined ? undefined : readInstant(text)
  return text !== undefined && bound === undefined
    ? invalid(`${name} must be a time that exists, in the years 0 to 9999, like "2026-03-29T00:15:00.000Z"`)
    : bound
}

/** The span of a page; or the problem with the client's query. */
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

/** Offsets from here on are searched for; smaller ones are skipped by the query itself. */
const deepOffset = 5_000

type InSpan<Own> = Span & Own & { readonly spaceId: string }

/** The rows that fit a filter and lie in a span. With `isNewer`, the rows after its place are the newer ones. */
function inSpan<Own extends Filter>(
  { fitting }: Pick<Order<never, Own>, 'fitting'>,
  db: Db,
  { afterAt, afterId, before, endAt, endId, from, ...filter }: InSpan<Own>,
  isNewer = false,
): Fitting {
  const found = fitting(db, filter as unknown as Own & { spaceId: string })
  const { at, id, query } = found
  if (from !== undefined) query.where(at, '>=', from)
  if (before !== undefined) query.where(at, '<', before)
  if (afterAt !== undefined && afterId !== undefined)
    query.whereRaw(`(??, ??) ${isNewer ? '>' : '<'} (?, ?)`, [at, id, afterAt, afterId])
  if (endAt !== undefined && endId !== undefined) query.whereRaw('(??, ??) >= (?, ?)', [at, id, endAt, endId])
  return found
}

/** The walk through the rows that fit a filter and lie in a span. */
function walker<Own extends Filter>(order: Pick<Order<never, Own>, 'fitting'>) {
  type PageQuery = InSpan<Own> & { offset?: number }
  const placeOf = (isNewer: boolean) =>
    statement<PageQuery, PagePosition>((db, { offset = 0, ...asked }) => {
      const { at, id, query } = inSpan(order, db, asked as unknown as InSpan<Own>, isNewer)
      const direction = isNewer ? 'asc' : 'desc'
      query.select({ at, id }).limit(1).offset(offset)
      return query.orderBy([at, id].map(column => ({ column, order: direction })))
    })
  const olderPlace = placeOf(false)
  const newerPlace = placeOf(true)
  const countOf = statement<PageQuery, { readonly rows: number }>((db, asked) =>
    inSpan(order, db, asked, true).query.count({ rows: '*' }),
  )
  return (db: Db, filter: InSpan<Own>): Walk => {
    const beyond = (after: PagePosition | undefined): InSpan<Own> =>
      after ? { ...filter, afterAt: after.at, afterId: after.id } : filter
    const first = ([place]: readonly PagePosition[]) => place
    return {
      older: async (after, rows) => first(await olderPlace(db, { ...beyond(after), offset: rows - 1 })),
      newer: async (after, rows) => first(await newerPlace(db, { ...beyond(after), offset: rows - 1 })),
      countNewer: async than => Number((await countOf(db, beyond(than)))[0]?.rows),
    }
  }
}

/** How the rows of a page are read. The marks of a database live as long as its object. */
function rowsReader<Row extends { readonly id: string }, Own extends Filter>(order: Order<Row, Own>) {
  type PageQuery = InSpan<Own> & { rows: number; offset?: number }
  const rowsOf = statement<PageQuery, Row>((db, { offset, rows, ...asked }) => {
    const { at, id, query } = inSpan(order, db, asked as unknown as InSpan<Own>)
    const newestFirst = [at, id].map(column => ({ column, order: 'desc' }) as const)
    query.select(order.columns).orderBy(newestFirst).limit(rows)
    return offset === undefined ? query : query.offset(offset)
  })
  const countOf = statement<InSpan<Own>, { readonly rows: number }>((db, asked) =>
    inSpan(order, db, asked).query.count({ rows: '*' }),
  )
  const walk = walker(order)
  const marksOf = new WeakMap<Db, Marks>()

  /** Where the page of an offset begins. */
  async function startOf(db: Db, asked: InSpan<Own>, offset: number, depth?: Depth): Promise<Start> {
    if (offset < deepOffset || !depth) return { after: undefined, offset }
    const { spaceId, ...others } = asked
    const isWhole = Object.values(others).every(value => value === undefined)
    if (!isWhole) return inTurn(db, spaceId, () => skip(walk(db, asked), offset, depth))
    const marks = marksOf.get(db) ?? new Marks()
    marksOf.set(db, marks)
    return inTurn(db, spaceId, () => marks.find(spaceId, walk(db, asked), offset, depth))
  }

  /** The rows from an offset on; without one, from the beginning of the span. */
  return async (
    db: Db,
    {
      filter,
      offset,
      rows,
      span,
    }: {
      readonly filter: Own & { readonly spaceId: string }
      readonly span: Span
      readonly offset: number | undefined
      readonly rows: number
    },
    depth?: Depth,
  ): Promise<readonly Row[]> => {
    const asked: InSpan<Own> = { ...filter, ...span }
    const { spaceId } = filter
    const wider = depth && order.wider?.(filter)
    if (wider) {
      const within = ({ after, end }: Piece): InSpan<Own> => ({
        ...asked,
        ...(after && { afterAt: after.at, afterId: after.id }),
        ...(end && { endAt: end.at, endId: end.id }),
      })
      const looked = {
        count: async (piece: Piece) => Number((await countOf(db, within(piece)))[0]?.rows),
        read: (piece: Piece, page: { offset: number; rows: number }) =>
          rowsOf(db, { ...within(piece), ...page }),
      }
      const turns = { turn: depth.turn, inTurn: <T>(read: () => Promise<T>) => inTurn(db, spaceId, read) }
      const wide = walk(db, { ...(wider as Own), ...span, spaceId })
      return scan(wide, looked, { offset: offset ?? 0, rows }, turns)
    }
    if (offset === undefined) return rowsOf(db, { ...asked, rows })
    const start = await startOf(db, asked, offset, depth)
    if (!start) return []
    const { after } = start
    const skipped = { offset: start.offset, ...(after && { afterAt: after.at, afterId: after.id }) }
    return rowsOf(db, { ...asked, ...skipped, rows })
  }
}

/** A reader of one history's pages in a Space. With an index, a deep page of a cursor costs as little as the first. */
export function historyReader<Row extends { readonly id: string }, Own extends Filter>(
  order: Order<Row, Own>,
): (
  db: Db,
  filter: Own & { readonly spaceId: string },
  page: HistoryPage,
  /** Absent where nobody sends an offset. */
  depth?: Depth,
) => Promise<History<Row> | Problem> {
  const readRows = rowsReader(order)
  return async (db, filter, page, depth) => {
    const span = readSpan(page, order.idPrefix)
    if (isProblem(span)) return span
    const { cursor, limit } = page
    const offset = cursor === undefined ? (page.offset ?? 0) : undefined
    // One row more than requested, to find out whether another page follows.
    const found = await readRows(db, { filter, span, offset, rows: limit + 1 }, depth)
    const rows = found.slice(0, limit)
    const hasMore = found.length > limit
    if (offset !== undefined) return { rows, hasMore, pagination: { limit, offset } }
    const last = rows.at(-1)
    const nextCursor = last && hasMore ? cursorOf({ at: String(last[order.at]), id: last.id }) : null
    return { rows, hasMore, pagination: { limit, nextCursor } }
  }
}
