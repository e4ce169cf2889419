// Reads all rows of a table, a page at a time, in the order of its key, on either database.

import { type Binding, type Db, runSql } from './database.ts'
import { isPostgres } from './dialect.ts'

export type TableRow = Readonly<Record<string, Binding>>

const postgresKey = `select a.attname as name from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
  where i.indrelid = $1::regclass and i.indisprimary order by array_position(i.indkey::int2[], a.attnum)`
const sqliteKey = `select c."name" from pragma_table_list(?) t join pragma_table_info(t."name") c
  where t."schema" = 'main' and t."wr" = 1 and c."pk" > 0 order by c."pk"`

/**
 * SQL of the columns of the primary key; on SQLite of the rowid, which is faster, where the table has one. On Postgres, one table
 * has no key: its rows live inside a transaction only.
 */
async function keyOf(db: Db, table: string, columns: readonly string[]): Promise<readonly string[]> {
  const asked = isPostgres(db) ? runSql(db, postgresKey, [`"${table}"`]) : runSql(db, sqliteKey, [table])
  const key = ((await asked) as readonly { readonly name: string }[]).map(({ name }) => name)
  if (key.length === 0 && !isPostgres(db)) return ['rowid']
  return (key.length === 0 ? columns : key).map(name => `"${name}"`)
}

/** Returns a function that reads the next `pageRows` rows of the table, and an empty page at its end. */
export async function rowPages(
  db: Db,
  table: string,
  columns: readonly string[],
  pageRows: number,
): Promise<() => Promise<readonly TableRow[]>> {
  const key = await keyOf(db, table, columns)
  const marks = key.map((_, at) => (isPostgres(db) ? `$${at + 1}` : '?')).join(', ')
  const places = key.map((column, at) => `${column} as "place${at}"`)
  const select = `select ${[...places, ...columns.map(column => `"${column}"`)].join(', ')} from "${table}"`
  const after = `where (${key.join(', ')}) > (${marks})`
  const inOrder = `order by ${key.join(', ')} limit ${pageRows}`
  let place: readonly Binding[] | undefined
  return async () => {
    const sql = place ? `${select} ${after} ${inOrder}` : `${select} ${inOrder}`
    const rows = (await runSql(db, sql, place ?? [])) as readonly TableRow[]
    const last = rows.at(-1)
    if (last) place = key.map((_, at) => last[`place${at}`] ?? null)
    return rows
  }
}
