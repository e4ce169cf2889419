// The tables that a move copies: which there are on both sides, and what a database puts aside while it takes their rows.

import type { Knex } from 'knex'
import { type Database, type Db, openDatabase, runSql } from '../database/database.ts'
import { isPostgres } from '../database/dialect.ts'
import { migrate } from '../database/migrate.ts'
import { allTables, besideTables } from '../database/moveMarks.ts'
import type { Schema } from '../database/schema.ts'

/** The tables of the migrations. The new database has its own rows there. */
const ofMigrations: readonly string[] = ['migrations', 'migrations_lock', 'schemas']

/** A table with the columns that are copied: all but generated ones. */
export interface MovedTable {
  readonly name: string
  readonly columns: readonly string[]
  /** The columns that are boolean on the new side: Postgres takes no 0 or 1 there. */
  readonly booleans: ReadonlySet<string>
}

interface Column {
  readonly table: string
  readonly column: string
  readonly type: string
}

const postgresColumns = `select table_name as "table", column_name as "column", data_type as "type"
  from information_schema.columns where table_schema = current_schema() and is_generated = 'NEVER'
  order by table_name, ordinal_position`

// SQLite does not list generated columns here.
const sqliteColumns = `select t."name" as "table", c."name" as "column", c."type"
  from pragma_table_list t join pragma_table_info(t."name") c
  where t."schema" = 'main' and t."type" = 'table' and t."name" not like 'sqlite_%' order by t."name", c."cid"`

const isMoved = (table: string) => !ofMigrations.includes(table) && !table.startsWith(besideTables)

async function columnsByTable(db: Db): Promise<ReadonlyMap<string, readonly Column[]>> {
  const columns = (await runSql(
    db,
    isPostgres(db) ? postgresColumns : sqliteColumns,
    [],
  )) as readonly Column[]
  const found = new Map<string, Column[]>()
  for (const column of columns)
    if (isMoved(column.table)) found.set(column.table, [...(found.get(column.table) ?? []), column])
  return found
}

const namesOf = (columns: readonly Column[] = []) =>
  columns
    .map(({ column }) => column)
    .sort()
    .join()

/** The tables of both databases. Throws where they are not the same: both have had the same migrations. */
export async function movedTables(from: Db, to: Db): Promise<readonly MovedTable[]> {
  const source = await columnsByTable(from)
  const target = await columnsByTable(to)
  const names = [...new Set([...source.keys(), ...target.keys()])].sort()
  const other = names.find(name => namesOf(source.get(name)) !== namesOf(target.get(name)))
  if (other !== undefined) throw new Error(`the table ${other} differs between the two databases`)
  return names.map(name => ({
    name,
    columns: (source.get(name) ?? []).map(({ column }) => column),
    booleans: new Set(
      (target.get(name) ?? []).filter(({ type }) => type === 'boolean').map(({ column }) => column),
    ),
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
    for (const name of (await allTables(fresh.knex)).filter(isMoved))
      rows.set(name, await countOf(fresh.knex, name))
    return rows
  } finally {
    await fresh.close()
  }
}

/** Lets no program change a row of the source before the end of the transaction, which may wait long for the other side. */
export async function holdStill(tx: Knex.Transaction): Promise<void> {
  if (!isPostgres(tx)) return
  await runSql(tx, 'set local idle_in_transaction_session_timeout = 0', [])
  const tables = (await allTables(tx)).map(name => `"${name}"`)
  await runSql(tx, `lock table ${tables.join(', ')} in share row exclusive mode`, [])
}

const foreignKeys = `select t.relname as "table", c.conname as "name" from pg_constraint c join pg_class t on t.oid = c.conrelid
  where c.contype = 'f' and c.connamespace = quote_ident(current_schema())::regnamespace`

type ForeignKeys = readonly { readonly name: string; readonly table: string }[]

async function switchTriggers(tx: Db, how: 'enable' | 'disable'): Promise<void> {
  for (const table of await allTables(tx)) await runSql(tx, `alter table "${table}" ${how} trigger user`, [])
}

const triggers = `select "name" from sqlite_master where "type" = 'trigger'`

/**
 * Puts aside what refuses rows in another order than that of the years: references to rows that come later, and triggers. Rows may
 * be emptied again, too.
 */
export async function loosen(target: Database): Promise<void> {
  // SQLite does not change this inside a transaction. It holds for the connection.
  if (!isPostgres(target.knex)) await runSql(target.knex, 'pragma foreign_keys = off', [])
  await target.write(async tx => {
    if (isPostgres(tx)) {
      for (const { name, table } of (await runSql(tx, foreignKeys, [])) as ForeignKeys)
        await runSql(tx, `alter table "${table}" drop constraint "${name}"`, [])
      return switchTriggers(tx, 'disable')
    }
    for (const { name } of (await runSql(tx, triggers, [])) as readonly { readonly name: string }[])
      await runSql(tx, `drop trigger "${name}"`, [])
  })
}

/**
 * Takes back what `loosen` did. Postgres checks every reference; on SQLite `verify` does. `right` is the schema of this version.
 */
export async function tighten(target: Database, right: Schema): Promise<void> {
  await target.write(async tx => {
    if (!isPostgres(tx)) {
      for (const [item, sql] of right) if (item.startsWith('trigger ')) await runSql(tx, sql, [])
      return
    }
    await switchTriggers(tx, 'enable')
    const known = (await runSql(tx, foreignKeys, [])) as ForeignKeys
    const there = new Set(known.map(({ name, table }) => `constraint ${table}.${name}`))
    for (const [item, sql] of right) {
      const [, table, name] = /^constraint ([^.]+)\.(.+)$/.exec(item) ?? []
      if (table === undefined || !sql.startsWith('FOREIGN KEY') || there.has(item)) continue
      await runSql(tx, `alter table "${table}" add constraint "${name}" ${sql}`, [])
    }
  })
  if (!isPostgres(target.knex)) await runSql(target.knex, 'pragma foreign_keys = on', [])
}

const sequences = `select table_name as "table", column_name as "column",
  pg_get_serial_sequence(quote_ident(table_name), column_name) as "sequence"
  from information_schema.columns where table_schema = current_schema()
  and pg_get_serial_sequence(quote_ident(table_name), column_name) is not null`

interface RowNumbers {
  readonly table: string
  readonly column: string
  readonly sequence: string
}

async function sequencesOf(db: Db): Promise<readonly RowNumbers[]> {
  const found = (await runSql(db, sequences, [])) as readonly RowNumbers[]
  return found.filter(({ table }) => isMoved(table))
}

interface GivenNumber {
  readonly name: string
  readonly last: number
}

/** The last number that each table has given to a row, which may be gone. */
async function numbersGiven(db: Db): Promise<readonly GivenNumber[]> {
  if (!isPostgres(db)) {
    const given = (await runSql(
      db,
      'select "name", "seq" as "last" from sqlite_sequence',
      [],
    )) as GivenNumber[]
    return given.filter(({ name }) => isMoved(name))
  }
  const given: GivenNumber[] = []
  for (const { column, sequence, table } of await sequencesOf(db)) {
    const asked = `select greatest(case when is_called then last_value else 0 end,
      (select max("${column}") from "${table}")) as "last" from ${sequence}`
    const [row] = (await runSql(db, asked, [])) as readonly { readonly last: number }[]
    given.push({ name: table, last: Number(row?.last ?? 0) })
  }
  return given
}

/** Lets the numbers of rows go on after the last one that the source gave. */
export async function continueNumbers(from: Db, to: Database): Promise<void> {
  const given = await numbersGiven(from)
  await to.write(async tx => {
    if (!isPostgres(tx)) {
      for (const { last, name } of given.filter(each => each.last > 0)) {
        await runSql(tx, 'delete from sqlite_sequence where "name" = ?', [name])
        await runSql(tx, 'insert into sqlite_sequence ("name", "seq") values (?, ?)', [name, last])
      }
      return
    }
    for (const { sequence, table } of await sequencesOf(tx)) {
      const last = given.find(({ name }) => name === table)?.last ?? 0
      await runSql(tx, 'select setval($1::text::regclass, $2::bigint, $3)', [
        sequence,
        Math.max(last, 1),
        last > 0,
      ])
    }
  })
}
