// SQLite databases for tests, which begin as a copy of the tables: that takes a tenth of the time of all migrations.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type BetterSqlite3 from 'better-sqlite3'
import { type Database, openDatabase } from './database.ts'
import { migrate } from './migrate.ts'

function literal(value: unknown): string {
  if (value === null) return 'null'
  return typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`
}

/** The content of a database as SQL. Tables and rows come first, indexes and triggers last, because that is faster. */
export function dumpOf({ prepare }: Pick<BetterSqlite3.Database, 'prepare'>): string {
  const made = prepare<[], { type: string; name: string; sql: string }>(
    `select "type", "name", "sql" from sqlite_master where "sql" is not null and "name" not like 'sqlite_%'`,
  ).all()
  const tables = made.filter(({ type }) => type === 'table')
  const inserts = tables.flatMap(({ name }) => {
    // SQLite lists no generated column here, and accepts no value for one.
    const named = prepare<[], { name: string }>(`select "name" from pragma_table_info('${name}')`).all()
    const columns = named.map(column => `"${column.name}"`).join(',')
    return prepare<[], unknown[]>(`select ${columns} from "${name}"`)
      .raw()
      .all()
      .map(row => `insert into "${name}" (${columns}) values (${row.map(literal).join(',')})`)
  })
  const later = made.filter(({ type }) => type !== 'table').map(({ sql }) => sql)
  const all = [...tables.map(({ sql }) => sql), ...inserts, ...later].join(';\n')
  return `pragma foreign_keys = off;\nbegin;\n${all};\ncommit;\npragma foreign_keys = on`
}

export async function connectionOf({ knex }: Database): Promise<BetterSqlite3.Database> {
  const connection: BetterSqlite3.Database = await knex.client.acquireConnection()
  await knex.client.releaseConnection(connection)
  return connection
}

let migrated: string | undefined

/** The tables of this version as SQL: all migrations run once in a process. */
export async function emptyTables(): Promise<string> {
  if (migrated !== undefined) return migrated
  const database = await openDatabase({ url: ':memory:' })
  await migrate(database)
  const connection = await connectionOf(database)
  migrated = dumpOf({ prepare: connection.prepare.bind(connection) })
  await database.close()
  return migrated
}

/** A database in memory with the tables of this version. */
export async function memoryDatabase(): Promise<Database> {
  const database = await openDatabase({ url: ':memory:' })
  const connection = await connectionOf(database)
  connection.exec(await emptyTables())
  return database
}

/** Puts a database with the tables of this version into the data folder, as a first command leaves it. */
export async function fillFolder(dataFolder: string): Promise<void> {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
  const database = await openDatabase({ url: join(dataFolder, 'callgate.sqlite') })
  const connection = await connectionOf(database)
  connection.exec(await emptyTables())
  await database.close()
}
