// Lists that the database writes as JSON. This is for lists that are read often: making an object of each row and printing it
// again costs more than reading it.

import type { Knex } from 'knex'
import type { Db } from './database.ts'
import { isPostgres } from './dialect.ts'

/**
 * The type of a column. SQLite has 0 and 1 for booleans. An optional one is a member only where it is not null, and stands after the
 * others; the text of an `optionalJson` is printed as it is.
 */
export type ColumnKind = 'plain' | 'boolean' | 'optional' | 'optionalJson'

const isOptional = (kind: ColumnKind) => kind === 'optional' || kind === 'optionalJson'

const written: Readonly<Record<'plain' | 'boolean', (name: string) => string>> = {
  plain: name => `"${name}"`,
  boolean: name => `json(iif("${name}", 'true', 'false'))`,
}

/** The text of an optional member with the comma before it; empty where it is null. `quoted` makes a text of JSON. */
const optionalMember = (name: string, kind: ColumnKind, quoted: (name: string) => string) =>
  `case when "${name}" is null then '' else ',"${name}":' || ${kind === 'optional' ? quoted(`"${name}"`) : `"${name}"`} end`

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
  const members = Object.entries(columns).flatMap(([name, kind]) =>
    kind === 'plain' || kind === 'boolean' ? [`'${name}', ${written[kind](name)}`] : [],
  )
  const object = `json_object(${members.join(', ')})`
  const optional = Object.entries(columns).filter(([, kind]) => isOptional(kind))
  const more = optional.map(([name, kind]) => optionalMember(name, kind, text => `json_quote(${text})`))
  const isPlain = optional.map(([name]) => `"${name}" is null`).join(' and ')
  const whole =
    more.length === 0
      ? object
      : `iif(${isPlain}, ${object}, substr(${object}, 1, length(${object}) - 1) || ${more.join(' || ')} || '}')`
  return db
    .from(rows.as('listed'))
    .select(db.raw(`'[' || coalesce(group_concat(${whole}, ','), '') || ']' as json`))
}

/** Postgres writes spaces into its objects, so only the values are written by Postgres. */
function jsonRowsOfPostgres(
  db: Db,
  rows: Knex.QueryBuilder,
  columns: Readonly<Record<string, ColumnKind>>,
): Knex.QueryBuilder {
  const quoted = (name: string) => `to_json(${name})::text`
  const members = Object.entries(columns).map(([name, kind], place) =>
    isOptional(kind)
      ? optionalMember(name, kind, quoted)
      : `'${place === 0 ? '' : ','}"${name}":' || coalesce(${quoted(`"${name}"`)}, 'null')`,
  )
  const objects = `string_agg('{' || ${members.join(' || ')} || '}', ',')`
  return db.from(rows.as('listed')).select(db.raw(`'[' || coalesce(${objects}, '') || ']' as json`))
}
