// Lists that the database writes as JSON. This is for lists that are read often: making an object of each row and printing it
// again costs more than reading it.

import type { Knex } from 'knex'
import type { Db } from './database.ts'
import { isPostgres } from './dialect.ts'

/** The type of a column. SQLite has 0 and 1 for booleans. */
export type ColumnKind = 'plain' | 'boolean'

const written: Readonly<Record<ColumnKind, (name: string) => string>> = {
  plain: name => `"${name}"`,
  boolean: name => `json(iif("${name}", 'true', 'false'))`,
}

/**
 * `rows` as one row whose `json` is the text of an array, in the order of `rows`, byte by byte as JSON.stringify prints objects
 * with these members. `rows` selects the columns. A text must not contain U+0000, because SQLite would end it there.
 */
export function jsonRows(
  db: Db,
  rows: Knex.QueryBuilder,
  columns: Readonly<Record<string, ColumnKind>>,
): Knex.QueryBuilder {
  if (isPostgres(db)) return jsonRowsOfPostgres(db, rows, columns)
  const members = Object.entries(columns).map(([name, kind]) => `'${name}', ${written[kind](name)}`)
  return db
    .from(rows.as('listed'))
    .select(db.raw(`json_group_array(json_object(${members.join(', ')})) as json`))
}

/** Postgres writes spaces into its objects, so only the values are written by Postgres. */
function jsonRowsOfPostgres(
  db: Db,
  rows: Knex.QueryBuilder,
  columns: Readonly<Record<string, ColumnKind>>,
): Knex.QueryBuilder {
  const members = Object.keys(columns).map(
    (name, place) => `'${place === 0 ? '' : ','}"${name}":' || coalesce(to_json("${name}")::text, 'null')`,
  )
  const objects = `string_agg('{' || ${members.join(' || ')} || '}', ',')`
  return db.from(rows.as('listed')).select(db.raw(`'[' || coalesce(${objects}, '') || ']' as json`))
}
