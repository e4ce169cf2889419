import type { Knex } from 'knex'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Database, type Db, openDatabase } from './database.ts'
import { fillEveryTable } from './everyTable.kit.ts'
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
  const tables = await fillEveryTable(tx)
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
