// Paging: opaque cursors that stay true while rows are added, and the histories, read newest first.

import { crc32 } from 'node:zlib'
import type { Problem } from '@callgate/contract/problem'
import type { Knex } from 'knex'

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
  // Made again and compared, because there is more than one way to write the same bytes.
  if (isOurs && cursorOf({ at, id }) === text) return { ok: true, after: { at, id } }
  return {
    ok: false,
    problem: invalid(
      'cursor is not one of this list: send the nextCursor of the page before, or nothing for the first',
    ),
  }
}

/** What a client asks of a history. */
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

/**
 * One page of `query`, newest first, ties by id. An index that begins with the query's own conditions, then `at` and
 * `id`, lets a cursor's page begin where it has to, however deep it is.
 */
export async function readHistory<Row extends { readonly id: string }>(
  query: Knex.QueryBuilder,
  order: { readonly at: keyof Row & string; readonly idPrefix: string },
  page: HistoryPage,
): Promise<History<Row> | Problem> {
  const { at, idPrefix } = order
  const { cursor, limit, offset } = page
  const newestFirst = query.orderBy([
    { column: at, order: 'desc' },
    { column: 'id', order: 'desc' },
  ])
  if (cursor === undefined) {
    const rows: Row[] = await newestFirst.limit(limit).offset(offset ?? 0)
    return { rows, pagination: { limit, offset: offset ?? 0 } }
  }
  if (offset !== undefined) return invalid('offset does not go together with cursor: send one of them')
  const read = readCursor(cursor, idPrefix)
  if (!read.ok) return read.problem
  if (read.after) newestFirst.whereRaw('(??, ??) < (?, ?)', [at, 'id', read.after.at, read.after.id])
  // One more than asked tells whether another page follows.
  const found: Row[] = await newestFirst.limit(limit + 1)
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const nextCursor = last && found.length > limit ? cursorOf({ at: String(last[at]), id: last.id }) : null
  return { rows, pagination: { limit, nextCursor } }
}
