// The tables as the database describes them: each table, column, index, constraint and trigger by its name, with its definition.

import type { Knex } from 'knex'
import { type Database, type Db, openDatabase, runSql } from './database.ts'
import { isPostgres } from './dialect.ts'
import { migrate } from './migrate.ts'
import { runMigrations } from './migrations/run.ts'
import { besideTables } from './moveMarks.ts'
import { takenBack } from './snapshot.ts'

/** Each item by its name, such as `index openings_running`, with its definition. */
export type Schema = ReadonlyMap<string, string>

type Row = { readonly name: string; readonly sql: string }

const sqliteParts = `select "type" || ' ' || "name" as name, "sql" from sqlite_master
  where "sql" is not null and "name" not like 'sqlite_%' and "name" not like '${besideTables}%'`

/** A definition without its schema, because the tables for the comparison are in another one. */
const bare = (sql: string) =>
  `replace(replace(${sql}, current_schema() || '.', ''), '"' || current_schema() || '".', '')`
const ours = `n.nspname = current_schema()`

const postgresParts = `
  select 'column ' || c.relname || '.' || a.attname as name,
    format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then ' not null' else '' end
      || case a.attgenerated when '' then '' else ' generated' end
      || coalesce(' default ' || ${bare('pg_get_expr(d.adbin, d.adrelid)')}, '') as sql
    from pg_attribute a join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p') join pg_namespace n on n.oid = c.relnamespace and ${ours}
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum where a.attnum > 0 and not a.attisdropped
  union all
  select 'table ' || c.relname, case c.relpersistence when 'u' then 'unlogged' else 'kept' end
    from pg_class c join pg_namespace n on n.oid = c.relnamespace and ${ours} where c.relkind in ('r', 'p')
  union all
  select 'index ' || c.relname, ${bare('pg_get_indexdef(c.oid)')} || case when i.indisvalid and i.indisready then '' else ' (not usable)' end
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace and ${ours}
  union all
  select 'constraint ' || t.relname || '.' || c.conname, ${bare('pg_get_constraintdef(c.oid)')} || case when c.convalidated then '' else ' not valid' end
    from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_namespace n on n.oid = c.connamespace and ${ours} where c.contype <> 'n'
  union all
  select 'trigger ' || t.tgname, ${bare('pg_get_triggerdef(t.oid)')} || case t.tgenabled when 'D' then ' disabled' else '' end
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace and ${ours} where not t.tgisinternal
  union all
  select 'function ' || p.proname, p.prosrc from pg_proc p join pg_namespace n on n.oid = p.pronamespace and ${ours}`

/** Reads the schema of the database `db`; on Postgres that of its first schema. */
export async function readSchema(db: Db): Promise<Schema> {
  const rows = (await runSql(db, isPostgres(db) ? postgresParts : sqliteParts, [])) as readonly Row[]
  return new Map(rows.map(({ name, sql }) => [name, sql]))
}

/**
 * The schema that the migrations of this version create. On SQLite they run in memory; on Postgres in a schema beside the data,
 * which is rolled back.
 */
export async function freshSchema(database: Database): Promise<Schema> {
  if (isPostgres(database.knex)) return takenBack(database, freshPostgres)
  const fresh = await openDatabase({ url: ':memory:' })
  try {
    await migrate(fresh)
    return await readSchema(fresh.knex)
  } finally {
    await fresh.close()
  }
}

async function freshPostgres(tx: Knex.Transaction): Promise<Schema> {
  await tx.raw('create schema "callgateFresh"')
  await tx.raw('set local search_path to "callgateFresh"')
  await runMigrations(tx)
  return readSchema(tx)
}
