// Databases for tests: SQLite in memory or Postgres, and a Postgres of its own where a test requests one.

import { connect, type Socket } from 'node:net'
import type { FakeWorld } from '@callgate/world/fake'
import type { World } from '@callgate/world/world'
import type { Database } from './database.ts'
import { openPostgres } from './postgres.ts'
import { memoryDatabase } from './tables.kit.ts'

/** Whether the tests run on Postgres. Tests of SQLite's plans or settings are left out there. */
export const onPostgres = process.env['CALLGATE_TEST_DATABASE'] === 'postgres'

/** SQL that sorts rows in the order in which they were written, if they are never changed. */
export const orderWritten = onPostgres ? 'ctid' : 'rowid'

async function ask(wanted: 'empty' | 'migrated'): Promise<{ url: string; socket: Socket }> {
  // The port on which `test/postgres/databasesForTests.ts` gives out databases.
  const { CALLGATE_TEST_POSTGRES: port } = process.env
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(wanted)
  const answer = await new Promise<string>((resolve, reject) => {
    socket.once('data', bytes => resolve(String(bytes)))
    socket.once('error', reject)
  })
  socket.unref()
  const { error, url } = JSON.parse(answer) as { readonly url?: string; readonly error?: string }
  if (url === undefined) throw new Error(`there is no Postgres for this test: ${error}`)
  return { url, socket }
}

/** The address of an empty database for one user, which lasts as long as this process. */
export const emptyPostgres = async (): Promise<string> => (await ask('empty')).url

/** The same with the tables of this version. */
export const migratedPostgres = async (): Promise<string> => (await ask('migrated')).url

/**
 * Makes the clock of a database settable: connections that are opened from now on find our clock before that of the system.
 * Returns a function that sets it, in milliseconds ahead of the true time.
 */
export async function settableClock(url: string): Promise<(aheadMs: number) => Promise<void>> {
  const run = async (sql: string) => {
    const { close, knex } = await openPostgres({ url })
    await knex.raw(sql).finally(close)
  }
  await run(`
    create table "settableClock" ("ahead" interval not null);
    insert into "settableClock" values ('0');
    create function "clock_timestamp"() returns timestamptz volatile language sql
      as 'select pg_catalog.clock_timestamp() + (select "ahead" from public."settableClock")';
    do $$ begin
      execute format('alter database %I set search_path = public, pg_catalog', current_database());
    end $$`)
  return aheadMs => run(`update "settableClock" set "ahead" = '${aheadMs} milliseconds'`)
}

/** A fake world can stall while a query runs; a real one cannot. */
type TestWorld = Partial<Pick<FakeWorld, 'waitFor'>> & Pick<World, 'after'>

/** One process's connections to the Postgres at `url`, and whether one of its queries or writes runs. */
async function connectionsTo(url: string): Promise<{ database: Database; isBusy: () => boolean }> {
  const database = await openPostgres({ url })
  const { pool } = database.knex.client
  let writes = 0
  const write: Database['write'] = (work, options) => {
    writes++
    return database.write(work, options).finally(() => {
      writes--
    })
  }
  return {
    database: { ...database, write },
    isBusy: () => writes + pool.numUsed() + pool.numPendingAcquires() + pool.numPendingCreates() > 0,
  }
}

/**
 * The Postgres at `url`, opened once for each of `processes`. `letWait` has the time of a world stand while one of them works.
 */
export async function processesOn(
  url: string,
  processes: number,
): Promise<{ databases: Database[]; letWait(world: TestWorld): void }> {
  const opened = await Promise.all(Array.from({ length: processes }, () => connectionsTo(url)))
  return {
    databases: opened.map(({ database }) => database),
    letWait: world => world.waitFor?.(() => opened.some(({ isBusy }) => isBusy())),
  }
}

/**
 * A database with the tables of this version, on the product that `CALLGATE_TEST_DATABASE` names, opened once for each of
 * `processes`; on SQLite there is one. It is gone when the first one closes it. The time of `world` stands while a query runs.
 */
export async function testDatabases(
  count: number,
  world?: TestWorld,
): Promise<readonly [Database, ...Database[]]> {
  if (!onPostgres) return [await memoryDatabase()]
  const { socket, url } = await ask('migrated')
  const { databases, letWait } = await processesOn(url, count)
  const [first, ...others] = databases
  if (first === undefined) throw new Error('there is no process')
  if (world) letWait(world)
  const close = async () => {
    await first.close()
    socket.end()
  }
  return [{ ...first, close }, ...others]
}

/** The same for one process. */
export const testDatabase = async (world?: TestWorld): Promise<Database> => (await testDatabases(1, world))[0]
