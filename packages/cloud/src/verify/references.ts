// Queries for rows with references to missing rows: one for all foreign keys on SQLite, one for each on Postgres.

import { type Db, runSql } from '../database/database.ts'
import { isPostgres } from '../database/dialect.ts'

interface ForeignKey {
  readonly table: string
  readonly columns: readonly string[]
  readonly parent: string
  readonly parentColumns: readonly string[]
}

const columnsOf = (numbers: string, table: string) =>
  `(select array_agg(a.attname::text order by k.place) from unnest(${numbers}) with ordinality as k (number, place)
    join pg_attribute a on a.attrelid = ${table} and a.attnum = k.number)`

const foreignKeys = `select t.relname as "table", p.relname as parent, ${columnsOf('c.conkey', 'c.conrelid')} as columns,
  ${columnsOf('c.confkey', 'c.confrelid')} as "parentColumns"
  from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_class p on p.oid = c.confrelid
  where c.contype = 'f' and c.connamespace = quote_ident(current_schema())::regnamespace order by c.conname`

function lostBy({ columns, parent, parentColumns, table }: ForeignKey): string {
  const isGiven = columns.map(column => `t."${column}" is not null`).join(' and ')
  const isSame = columns.map((column, place) => `p."${parentColumns[place]}" = t."${column}"`).join(' and ')
  return `select '${table} row ' || t.ctid as id, 'names a row of ${parent} that is not there' as what from "${table}" t
    where ${isGiven} and not exists (select 1 from "${parent}" p where ${isSame})`
}

/** Each query returns `id` and `what`. Postgres enforces its foreign keys, unless somebody has switched that off. */
export async function lostReferences(db: Db): Promise<readonly string[]> {
  if (!isPostgres(db))
    return [
      `select "table" || ' row ' || coalesce(rowid, '?') as id, 'names a row of ' || "parent" || ' that is not there' as what from pragma_foreign_key_check`,
    ]
  return ((await runSql(db, foreignKeys, [])) as readonly ForeignKey[]).map(lostBy)
}
