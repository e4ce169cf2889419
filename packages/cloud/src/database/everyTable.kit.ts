// Puts a row into every table of a database, for tests of what becomes of all rows.

import type { Knex } from 'knex'
import { runSql } from './database.ts'
import { isPostgres } from './dialect.ts'

interface Column {
  readonly table: string
  readonly column: string
  readonly type: string
  /** The table and column that this column refers to. */
  readonly parent: string | null
  readonly parentColumn: string | null
}

const postgresColumns = `select c.relname as "table", a.attname as "column", format_type(a.atttypid, null) as type, k.parent, k."parentColumn"
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     left join (select f.conrelid, u.number, p.relname as parent, pa.attname as "parentColumn" from pg_constraint f
       join pg_class p on p.oid = f.confrelid, unnest(f.conkey, f.confkey) as u (number, of)
       join pg_attribute pa on pa.attnum = u.of where f.contype = 'f' and pa.attrelid = f.confrelid) k
       on k.conrelid = c.oid and k.number = a.attnum
     where c.relkind = 'r' and c.relnamespace = quote_ident(current_schema())::regnamespace order by c.relname, a.attnum`
const sqliteColumns = `select t.name as "table", c.name as "column", c.type, k."table" as parent, k."to" as "parentColumn"
     from sqlite_master t join pragma_table_info(t.name) c left join pragma_foreign_key_list(t.name) k on k."from" = c.name
     where t.type = 'table' and t.name not like 'sqlite%' order by t.name, c.cid`

/** Values of columns that take only some. */
const chosen: Readonly<Record<string, string>> = { 'spaces.mode': 'sandbox' }

/** An example value that names its table and column, or the row of another table that it must refer to. */
function exampleOf({ column, parent, parentColumn, table, type }: Column): string | number | boolean | null {
  // A row cannot refer to itself here: an opening joins another opening.
  if (parent === table) return null
  if (parent !== null) return exampleOf({ ...noParent, table: parent, column: parentColumn ?? 'id', type })
  if (/bool/i.test(type)) return true
  if (/int/i.test(type)) return table.length * 100 + column.length
  return column === 'spaceId'
    ? exampleOf({ ...noParent, table: 'spaces', column: 'id', type })
    : (chosen[`${table}.${column}`] ?? `${table}.${column}`.slice(0, 20))
}
const noParent = { parent: null, parentColumn: null }

const ofKnex = ['migrations', 'migrations_lock', 'schemas']

/** Puts a row into each table, after the tables that it refers to; returns the tables. */
export async function fillEveryTable(tx: Knex.Transaction): Promise<readonly string[]> {
  const columns = (await runSql(
    tx,
    isPostgres(tx) ? postgresColumns : sqliteColumns,
    [],
  )) as readonly Column[]
  const left = new Set(columns.map(({ table }) => table).filter(table => !ofKnex.includes(table)))
  const filled: string[] = []
  while (left.size > 0)
    for (const table of left) {
      const own = columns.filter(column => column.table === table)
      if (own.some(({ parent }) => parent !== null && parent !== table && left.has(parent))) continue
      // Where a column is part of two keys, both have the same value.
      const row = Object.fromEntries(own.map(column => [column.column, exampleOf(column)]))
      await tx(table).insert(row)
      left.delete(table)
      filled.push(table)
    }
  return filled
}
