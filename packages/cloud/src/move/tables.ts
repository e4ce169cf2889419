// The tables that a move copies: which there are on both sides, and what Postgres puts aside while it takes their rows.

import type { Knex } from 'knex'
import { type Database, type Db, openDatabase, runSql } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import type { Schema } from '../database/schema.ts'

/** The tables of the migrations. The new database has its own rows there. */
const ofMigrations: readonly string[] = ['migrations', 'migrations_lock', 'schemas']

/** A table with the columns that are copied: all but generated ones. */
export interface MovedTable {
  readonly name: string
  readonly columns: readonly string[]
  /** The columns that are 0 or 1 on SQLite, and boolean on Postgres. */
  readonly booleans: ReadonlySet<string>
  /** SQL of the columns by which SQLite reads the rows in order. */
  readonly key: readonly string[]
}

interface Column {
  readonly table: string
  readonly column: string
}

const postgresColumns = `select table_name as "table", column_name as "column", data_type as "type"
  from information_schema.columns where table_schema = current_schema() and is_generated = 'NEVER'
  order by table_name, ordinal_position`

// SQLite does not list generated columns here.
const sqliteColumns = `select t."name" as "table", c."name" as "column", c."pk" as "place", t."wr" as "isWithoutRowid"
  from pragma_table_list t join pragma_table_info(t."name") c
  where t."schema" = 'main' and t."type" = 'table' and t."name" not like 'sqlite_%' order by t."name", c."cid"`

interface SqliteColumn extends Column {
  /** The place in the primary key; 0: not in it. */
  readonly place: number
  readonly isWithoutRowid: number
}

function byTable<Of extends Column>(columns: readonly Of[]): ReadonlyMap<string, readonly Of[]> {
  const found = new Map<string, Of[]>()
  for (const column of columns) {
    if (ofMigrations.includes(column.table)) continue
    found.set(column.table, [...(found.get(column.table) ?? []), column])
  }
  return found
}

function keyOf(columns: readonly SqliteColumn[]): readonly string[] {
  if (!columns[0]?.isWithoutRowid) return ['rowid']
  const key = columns.filter(({ place }) => place > 0).sort((a, b) => a.place - b.place)
  return key.map(({ column }) => `"${column}"`)
}

const namesOf = (columns: readonly Column[] = []) =>
  columns
    .map(({ column }) => column)
    .sort()
    .join()

/** The tables of both databases. Throws where they are not the same: both have had the same migrations. */
export async function movedTables(from: Db, to: Db): Promise<readonly MovedTable[]> {
  const source = byTable((await runSql(from, sqliteColumns, [])) as readonly SqliteColumn[])
  const target = byTable(
    (await runSql(to, postgresColumns, [])) as readonly (Column & { readonly type: string })[],
  )
  const names = [...new Set([...source.keys(), ...target.keys()])].sort()
  const other = names.find(name => namesOf(source.get(name)) !== namesOf(target.get(name)))
  if (other !== undefined) throw new Error(`the table ${other} differs between the two databases`)
  return names.map(name => ({
    name,
    columns: (source.get(name) ?? []).map(({ column }) => column),
    booleans: new Set(
      (target.get(name) ?? []).filter(({ type }) => type === 'boolean').map(({ column }) => column),
    ),
    key: keyOf(source.get(name) ?? []),
  }))
}

export async function countOf(db: Db, table: string): Promise<number> {
  const [row] = (await runSql(db, `select count(*) as "rows" from "${table}"`, [])) as { rows: number }[]
  return Number(row?.rows ?? 0)
}

/** The number of rows that the migrations themselves put into each table. */
export async function seededRows(): Promise<ReadonlyMap<string, number>> {
  const fresh = await openDatabase({ url: ':memory:' })
  try {
    await migrate(fresh)
    const rows = new Map<string, number>()
    for (const name of byTable(
      (await runSql(fresh.knex, sqliteColumns, [])) as readonly SqliteColumn[],
    ).keys())
      rows.set(name, await countOf(fresh.knex, name))
    return rows
  } finally {
    await fresh.close()
  }
}

const foreignKeys = `select t.relname as "table", c.conname as "name" from pg_constraint c join pg_class t on t.oid = c.conrelid
  where c.contype = 'f' and c.connamespace = quote_ident(current_schema())::regnamespace`

const ownTables = `select c.relname as "table" from pg_class c
  where c.relkind = 'r' and c.relnamespace = quote_ident(current_schema())::regnamespace`

async function switchTriggers(tx: Db, how: 'enable' | 'disable'): Promise<void> {
  for (const { table } of (await runSql(tx, ownTables, [])) as readonly { readonly table: string }[])
    await runSql(tx, `alter table "${table}" ${how} trigger user`, [])
}

/**
 * Puts aside what refuses rows in another order than that of the years: references to rows that come later, and triggers. Rows may
 * be emptied again, too.
 */
export async function loosen(tx: Knex.Transaction): Promise<void> {
  for (const { name, table } of (await runSql(tx, foreignKeys, [])) as readonly {
    readonly name: string
    readonly table: string
  }[])
    await runSql(tx, `alter table "${table}" drop constraint "${name}"`, [])
  await switchTriggers(tx, 'disable')
}

/** Takes back what `loosen` did. Postgres checks every reference. `right` is the schema of this version. */
export async function tighten(tx: Knex.Transaction, right: Schema): Promise<void> {
  await switchTriggers(tx, 'enable')
  const there = new Set(
    ((await runSql(tx, foreignKeys, [])) as readonly { name: string; table: string }[]).map(
      ({ name, table }) => `constraint ${table}.${name}`,
    ),
  )
  for (const [item, sql] of right) {
    const [, table, name] = /^constraint ([^.]+)\.(.+)$/.exec(item) ?? []
    if (table === undefined || !sql.startsWith('FOREIGN KEY') || there.has(item)) continue
    await runSql(tx, `alter table "${table}" add constraint "${name}" ${sql}`, [])
  }
}

const sequences = `select table_name as "table", column_name as "column",
  pg_get_serial_sequence(quote_ident(table_name), column_name) as "sequence"
  from information_schema.columns where table_schema = current_schema()
  and pg_get_serial_sequence(quote_ident(table_name), column_name) is not null`

/** Lets each sequence go on after the last number that SQLite gave, also where its row is gone. */
export async function continueSequences(from: Db, to: Database): Promise<void> {
  const given = new Map(
    (
      (await runSql(from, 'select "name", "seq" from sqlite_sequence', [])) as {
        name: string
        seq: number
      }[]
    ).map(({ name, seq }) => [name, Number(seq)]),
  )
  await to.write(async tx => {
    const found = (await runSql(tx, sequences, [])) as readonly (Column & { readonly sequence: string })[]
    for (const { column, sequence, table } of found) {
      if (ofMigrations.includes(table)) continue
      const [row] = (await runSql(
        tx,
        `select coalesce(max("${column}"), 0) as "last" from "${table}"`,
        [],
      )) as {
        last: number
      }[]
      const last = Math.max(Number(row?.last ?? 0), given.get(table) ?? 0)
      await runSql(tx, 'select setval($1::text::regclass, $2::bigint, $3)', [
        sequence,
        Math.max(last, 1),
        last > 0,
      ])
    }
  })
}
