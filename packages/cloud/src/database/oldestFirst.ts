// Lists whose oldest entries come first: whole, as specified, or in pages on request.

import type { Problem } from '@callgate/contract/rest/problem'
import type { Knex } from 'knex'
import { cursorOf, readCursor } from './paging.ts'
import type { Values } from './statement.ts'

/** Rows after a place in the list, at most `limit`. */
export interface Page {
  readonly limit: number
  readonly after: { readonly at: string; readonly id: string } | undefined
}

const defaultLimit = 50

export type PageRead =
  | { readonly ok: true; readonly page: Page | undefined }
  | { readonly ok: false; readonly problem: Problem }

/**
 * The page that a query requests with `limit` or `cursor`; undefined for the whole list. `idPrefix` is the prefix of the list's
 * own ids: a cursor of another list is refused.
 */
export function readPage(
  query: { readonly limit?: number; readonly cursor?: string },
  idPrefix: string,
): PageRead {
  const { cursor, limit } = query
  if (cursor === undefined && limit === undefined) return { ok: true, page: undefined }
  const read = readCursor(cursor ?? '', idPrefix)
  return read.ok ? { ok: true, page: { limit: limit ?? defaultLimit, after: read.after } } : read
}

/** A page as the values of a statement; empty for the whole list. */
export interface PageValues extends Values {
  /** One row more than the page shows, to find out whether another page follows. */
  readonly rows?: number
  readonly afterAt?: string
  readonly afterId?: string
}

export function pageValues(page: Page | undefined): PageValues {
  if (!page) return {}
  const { after, limit } = page
  return { rows: limit + 1, ...(after && { afterAt: after.at, afterId: after.id }) }
}

/** Sorts `query` on `table` and limits it to the page. */
export function oldestFirst(query: Knex.QueryBuilder, table: string, page: PageValues): Knex.QueryBuilder {
  const key = [`${table}.createdAt`, `${table}.id`]
  const { afterAt, afterId, rows } = page
  query.orderBy(key)
  if (afterAt !== undefined && afterId !== undefined)
    query.whereRaw('(??, ??) > (?, ?)', [...key, afterAt, afterId])
  return rows === undefined ? query : query.limit(rows)
}

/** The rows of the answer, and its `pagination` when a page was requested. */
export function cutPage<Row extends { readonly createdAt: string; readonly id: string }>(
  rows: readonly Row[],
  page: Page | undefined,
): {
  readonly shown: readonly Row[]
  readonly paged: { pagination?: { limit: number; nextCursor: string | null } }
} {
  if (!page) return { shown: rows, paged: {} }
  const { limit } = page
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  const nextCursor = last ? cursorOf({ at: last.createdAt, id: last.id }) : null
  return { shown, paged: { pagination: { limit, nextCursor } } }
}
