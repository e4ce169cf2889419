// Paging: opaque cursors that stay true while rows are added, and the histories, read newest first.

import { crc32 } from 'node:zlib'
import type { Problem } from '@callgate/contract/rest/problem'
import type { Db } from './database.ts'
import { statement } from './statement.ts'

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

/** A client's query of a history. */
export interface HistoryPage {
  readonly limit: number
  readonly offset?: number
  readonly cursor?: string
}

export interface History<Row> {
  readonly rows: readonly Row[]
  /** `{limit, offset}`, or `{limit, nextCursor}` when a cursor was sent. */
  readonly pagination:
    | { readonly limit: number; readonly offset: number }
    | { readonly limit: number; readonly nextCursor: string | null }
}

/** A table whose rows are read newest first, by `at`, ties by id. */
interface Order<Row> {
  readonly table: string
  readonly columns: readonly (keyof Row & string)[]
  readonly at: keyof Row & string
  readonly idPrefix: string
}

/**
 * A reader of a Space's pages of one history. An index of spaceId, `at` and `id` makes a deep page of a cursor as
 * cheap as the first.
 */
export function historyReader<Row extends { readonly id: string }>({
  at,
  columns,
  idPrefix,
  table,
}: Order<Row>): (db: Db, spaceId: string, page: HistoryPage) => Promise<History<Row> | Problem> {
  const newestFirst = [at, 'id'].map(column => ({ column, order: 'desc' }) as const)
  const skip = statement<{ spaceId: string; limit: number; offset: number }, Row>(
    (db, { limit, offset, spaceId }) =>
      db(table).select(columns).where({ spaceId }).orderBy(newestFirst).limit(limit).offset(offset),
  )
  const start = statement<{ spaceId: string; limit: number }, Row>((db, { limit, spaceId }) =>
    db(table).select(columns).where({ spaceId }).orderBy(newestFirst).limit(limit),
  )
  const follow = statement<{ spaceId: string; limit: number; afterAt: string; afterId: string }, Row>(
    (db, { afterAt, afterId, limit, spaceId }) =>
      db(table)
        .select(columns)
        .where({ spaceId })
        .whereRaw('(??, ??) < (?, ?)', [at, 'id', afterAt, afterId])
        .orderBy(newestFirst)
        .limit(limit),
  )
  return async (db, spaceId, { cursor, limit, offset }) => {
    if (cursor === undefined) {
      const place = { limit, offset: offset ?? 0 }
      return { rows: await skip(db, { spaceId, ...place }), pagination: place }
    }
    if (offset !== undefined) return invalid('offset does not go together with cursor: send one of them')
    const read = readCursor(cursor, idPrefix)
    if (!read.ok) return read.problem
    // One more than asked tells whether another page follows.
    const { after } = read
    const found = after
      ? await follow(db, { spaceId, limit: limit + 1, afterAt: after.at, afterId: after.id })
      : await start(db, { spaceId, limit: limit + 1 })
    const rows = found.slice(0, limit)
    const last = rows.at(-1)
    const nextCursor = last && found.length > limit ? cursorOf({ at: String(last[at]), id: last.id }) : null
    return { rows, pagination: { limit, nextCursor } }
  }
}
