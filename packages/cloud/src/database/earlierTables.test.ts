import type { Knex } from 'knex'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Database, type Db, openDatabase, runSql } from './database.ts'
import { migrations } from './migrations/list.ts'
import { runMigrations } from './migrations/run.ts'
import { emptyPostgres, onPostgres } from './postgres.kit.ts'
import { openPostgres } from './postgres.ts'
import { freshSchema, readSchema } from './schema.ts'
import { takenBack } from './snapshot.ts'

let database: Database
beforeEach(async () => {
  database = onPostgres
    ? await openPostgres({ url: await emptyPostgres() })
    : await openDatabase({ url: ':memory:' })
})
afterEach(() => database.close())

const names = Object.keys(migrations)

interface Column {
  readonly table: string
  readonly column: string
  readonly type: string
  /** The table and column that this column refers to. */
  readonly parent: string | null
  readonly parentColumn: string | null
}

const columnsSql = onPostgres
  ? `select c.relname as "table", a.attname as "column", format_type(a.atttypid, null) as type, k.parent, k."parentColumn"
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     left join (select f.conrelid, u.number, p.relname as parent, pa.attname as "parentColumn" from pg_constraint f
       join pg_class p on p.oid = f.confrelid, unnest(f.conkey, f.confkey) as u (number, of)
       join pg_attribute pa on pa.attnum = u.of where f.contype = 'f' and pa.attrelid = f.confrelid) k
       on k.conrelid = c.oid and k.number = a.attnum
     where c.relkind = 'r' and c.relnamespace = quote_ident(current_schema())::regnamespace order by c.relname, a.attnum`
  : `select t.name as "table", c.name as "column", c.type, k."table" as parent, k."to" as "parentColumn"
     from sqlite_master t join pragma_table_info(t.name) c left join pragma_foreign_key_list(t.name) k on k."from" = c.name
     where t.type = 'table' and t.name not like 'sqlite%' order by t.name, c.cid`

/** An example value that names its table and column, or the row of another table that it must refer to. */
function exampleOf({ column, parent, parentColumn, table, type }: Column): string | number | boolean | null {
  // A row cannot refer to itself here: an opening joins another opening.
  if (parent === table) return null
  if (parent !== null) return exampleOf({ ...noParent, table: parent, column: parentColumn ?? 'id', type })
  if (/bool/i.test(type)) return true
  if (/int/i.test(type)) return table.length * 100 + column.length
  return column === 'spaceId'
    ? exampleOf({ ...noParent, table: 'spaces', column: 'id', type })
    : `${table}.${column}`.slice(0, 20)
}
const noParent = { parent: null, parentColumn: null }

const ofKnex = ['migrations', 'migrations_lock', 'schemas']

/** Puts a row into each table, after the tables that it refers to; returns the tables. */
async function fill(tx: Knex.Transaction): Promise<readonly string[]> {
  const columns = (await runSql(tx, columnsSql, [])) as readonly Column[]
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

/** The rows of the tables that exist. */
async function rowsOf(db: Db, tables: readonly string[]) {
  const rows = new Map<string, readonly Record<string, unknown>[]>()
  for (const table of tables) if (await db.schema.hasTable(table)) rows.set(table, await db(table))
  return rows
}

/** Tables and columns that were dropped, with their replacements. */
const replaced: Readonly<Record<string, string>> = { idempotentAnswers: 'keptAnswers' }

/** Creates the tables of the first `count` migrations with a row in each, and migrates them to the newest version. */
async function bringForward(tx: Knex.Transaction, count: number): Promise<void> {
  const migrationSource: Knex.MigrationSource<string> = {
    getMigrations: async () => names.slice(0, count),
    getMigrationName: name => name,
    getMigration: async name => migrations[name] as Knex.Migration,
  }
  await tx.migrate.latest({ migrationSource, tableName: 'migrations' })
  const tables = await fill(tx)
  const before = await rowsOf(tx, tables)
  expect(await runMigrations(tx)).toEqual(names.slice(count))
  const after = await rowsOf(tx, [...tables, ...Object.values(replaced)])
  for (const [table, rows] of before) {
    const now = after.get(table) ?? after.get(replaced[table] ?? '') ?? []
    expect([table, now.length], `from ${names[count - 1]}`).toEqual([table, rows.length])
    if (!after.has(table)) continue
    for (const row of rows)
      expect(now, `${table} from ${names[count - 1]}`).toContainEqual(expect.objectContaining(row))
  }
}

/**
 * The migrations after which the tables are filled: each one on SQLite; on Postgres, which is slower, those before a migration
 * that moves rows, and the last one.
 */
const moving = ['0006-boots', '0010-users', '0015-invitations', '0017-fewer-writes', '0020-replicas']
const counts = onPostgres
  ? [...moving.map(name => names.indexOf(name)), names.length - 1]
  : names.slice(1).map((_, place) => place + 1)

it('migrates the tables of each earlier version with their rows to those of a new database', async () => {
  const fresh = await freshSchema(database)
  for (const count of counts) {
    const check = async (tx: Knex.Transaction) => {
      await bringForward(tx, count)
      expect(await readSchema(tx), `from ${names[count - 1]}`).toEqual(fresh)
    }
    if (onPostgres)
      await takenBack(database, async tx => {
        await tx.raw('create schema "callgateFresh"')
        await tx.raw('set local search_path to "callgateFresh"')
        await check(tx)
      })
    else {
      const earlier = await openDatabase({ url: ':memory:' })
      await earlier.write(check)
      await earlier.close()
    }
  }
})
