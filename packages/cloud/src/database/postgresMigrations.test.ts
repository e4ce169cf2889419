import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database, Db } from './database.ts'
import { DatabaseError } from './databaseError.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/list.ts'
import { emptyPostgres } from './postgres.kit.ts'
import { openPostgres } from './postgres.ts'
import { statement } from './statement.ts'
import { memoryDatabase } from './tables.kit.ts'

let url = ''
let database: Database
beforeEach(async () => {
  url = await emptyPostgres()
  database = await openPostgres({ url })
})
afterEach(() => database.close())

const at = '2026-01-01T00:00:00.000Z'

/** Rows that the migrations after the first three change or move. */
async function fill({ knex }: Database): Promise<void> {
  const zone = { country: 'RO', timezone: 'Europe/Bucharest', language: 'en' }
  await knex('spaces').insert({ id: 's', name: 'S', plan: 'free', ...zone, createdAt: at })
  const gate = { id: 'g', spaceId: 's', name: 'G', phoneNumber: '+40722000001', location: '', isActive: true }
  await knex('gates').insert({ ...gate, createdAt: at, callProfile: '{}' })
  const gateway = { id: 'w', spaceId: 's', name: 'W', publicKey: 'k', passwordHash: 'p', createdAt: at }
  await knex('gateways').insert({ ...gateway, bootId: 'c' })
  await knex('supersededBoots').insert([
    { gatewayId: 'w', bootId: 'b', supersededAt: '2026-01-03T00:00:00.000Z' },
    { gatewayId: 'w', bootId: 'a', supersededAt: '2026-01-02T00:00:00.000Z' },
  ])
  const opening = { spaceId: 's', gateId: 'g', gateName: 'G', phoneNumber: gate.phoneNumber, calledAt: at }
  const pressed = { ...opening, grantBefore: at, actorType: 'owner', actorName: 'O', completedAt: at }
  await knex('openings').insert([
    { ...pressed, id: 'o1', status: 'completed', opened: 'yes', confidence: 'certain' },
    { ...pressed, id: 'o2', status: 'failed', opened: null },
    { ...pressed, id: 'o3', status: 'failed', opened: 'no', reason: 'busy' },
  ])
  await knex('members').insert({ id: 'm', spaceId: 's', name: 'M', createdAt: at })
  const mail = { id: 'e', spaceId: 's', memberId: 'm', kind: 'link', createdAt: at, nextAttemptAt: at }
  await knex('outbox').insert(mail)
  const key = { id: 'k', spaceId: 's', name: 'K', keyHash: 'h', shownPrefix: 'p', scopes: '[]' }
  await knex('apiKeys').insert({ ...key, createdAt: at })
  await knex('idempotentAnswers').insert({ apiKeyId: 'k', requestHash: 'r', bodyHash: 'b', createdAt: at })
}

const run = async (names: readonly string[], way: 'up' | 'down') => {
  for (const name of names) await database.write(async tx => migrations[name]?.[way]?.(tx))
}

it('migrates forward with data, and back again', async () => {
  const names = Object.keys(migrations)
  const { knex } = database
  await run(names.slice(0, 3), 'up')
  await fill(database)
  await run(names.slice(3), 'up')
  expect(await knex('supersededBoots').orderBy('number').select('bootId', 'number')).toEqual([
    { bootId: 'a', number: 1 },
    { bootId: 'b', number: 2 },
  ])
  expect(await knex('gateways').pluck('bootCount')).toEqual([3])
  expect(await knex('openings').orderBy('id').pluck('class')).toEqual(['opened', 'unknown', 'did_not_open'])
  expect(await knex('outbox').pluck('memberId')).toEqual(['m'])
  expect(await knex('keptAnswers').pluck('askerId')).toEqual(['k'])

  await run(names.slice(3).reverse(), 'down')
  expect(await knex('outbox').pluck('memberId')).toEqual(['m'])
  expect(await knex('openings').count({ rows: '*' })).toEqual([{ rows: 3 }])
  await run(names.slice(3), 'up')
  await run([...names].reverse(), 'down')
  const left = await knex('pg_class')
    .where({ relkind: 'r' })
    .whereRaw(`relnamespace = 'public'::regnamespace`)
  expect(left).toEqual([])
})

it('migrates once where two start at once, and both go on', async () => {
  const other = await openPostgres({ url })
  const ran = await Promise.all([migrate(database), migrate(other)])
  expect(ran.map(names => names.length).sort()).toEqual([0, Object.keys(migrations).length])
  expect(await database.knex('schemas').count({ rows: '*' })).toEqual([{ rows: 1 }])
  await other.close()
})

/** As SQLSTATE 55P03: the lock was not free in time. */
const busy = new DatabaseError('busy', 'locked')

it('waits for the lock of another migration, reports it once, and then finds nothing to do', async () => {
  const other = await openPostgres({ url })
  const told: string[] = []
  let attempts = 0
  const write: Database['write'] = (work, options) => {
    attempts++
    if (attempts < 3) return Promise.reject(busy)
    return migrate(other).then(() => database.write(work, options))
  }
  expect(await migrate({ ...database, write }, () => told.push('waits'))).toEqual([])
  expect([attempts, told]).toEqual([3, ['waits']])
  await other.close()
})

it('gives up when the lock is not free for ten minutes, and at any other fault at once', async () => {
  let attempts = 0
  const failing = (error: Error) => () => {
    attempts++
    return Promise.reject(error)
  }
  await expect(migrate({ ...database, write: failing(busy) })).rejects.toBe(busy)
  expect(attempts).toBe(120)
  const fault = new Error('a bug')
  await expect(migrate({ ...database, write: failing(fault) })).rejects.toBe(fault)
  expect(attempts).toBe(121)
})

it('does not change tables that a newer version has made while it waited for the lock', async () => {
  const other = await openPostgres({ url })
  const write: Database['write'] = async (work, options) => {
    await migrate(other)
    await other.knex('migrations').insert({ name: '9999-later', batch: 2 })
    return database.write(work, options)
  }
  expect(await migrate({ ...database, write })).toEqual([])
  await other.close()
})

type Column = { table: string; column: string; isGiven: boolean | number }
const asText = (columns: readonly Column[]) =>
  columns.map(({ column, isGiven, table }) => `${table}.${column}${isGiven ? ' not null' : ''}`).sort()

/** Where SQLite merges the rows of one index, Postgres has two. */
const mergedOnSqlite: Readonly<Record<string, readonly string[]>> = {
  openings_by_end: ['openings_by_class', 'openings_by_status'],
  openings_of_gate_by_end: ['openings_of_gate_by_class', 'openings_of_gate_by_status'],
}

it('creates the same tables, columns and indexes as on SQLite, but for two that SQLite merges', async () => {
  const sqlite = await memoryDatabase()
  await migrate(database)
  const sqliteColumns: Column[] = await sqlite.knex.raw(
    `select t.name as "table", c.name as "column", max(c."notnull", c.pk > 0) as "isGiven" from sqlite_master t
     join pragma_table_xinfo(t.name) c where t.type = 'table' and t.name not like 'sqlite%'`,
  )
  const postgresColumns: Column[] = await database
    .knex('information_schema.columns')
    .where({ table_schema: 'public' })
    .select(
      'table_name as table',
      'column_name as column',
      database.knex.raw(`is_nullable = 'NO' as "isGiven"`),
    )
  expect(asText(postgresColumns)).toEqual(asText(sqliteColumns))
  const ofSqlite = await sqlite
    .knex('sqlite_master')
    .where({ type: 'index' })
    .whereNotNull('sql')
    .select('name')
  const indexes = ofSqlite
    .map(({ name }) => String(name))
    .filter(name => !name.endsWith('_unique'))
    .flatMap(name => mergedOnSqlite[name] ?? [name])
  const ofPostgres: { indexname: string }[] = await database
    .knex('pg_indexes')
    .where({ schemaname: 'public' })
    .whereNot('indexname', 'like', '%_pkey')
    .whereNot('indexname', 'like', '%_unique')
  expect(ofPostgres.map(({ indexname }) => indexname).sort()).toEqual(indexes.sort())
  await sqlite.close()
})

it('limits a statement to 10 s, but not where everything is locked', async () => {
  const bound = async (db: Db) => (await db.raw(`select current_setting('statement_timeout') as ms`)).rows
  const inSpace = await database.write(bound, { spaceId: 's' })
  expect([await bound(database.knex), inSpace, await database.write(bound)]).toEqual(
    ['10s', '10s', '0'].map(ms => [{ ms }]),
  )
})

const plansOf = statement<{ readonly name: string }, object>((db, place) => db('plans').where(place))

it('keeps its prepared statements while a newer version adds columns', async () => {
  await migrate(database)
  const read = (db: Db) => plansOf(db, { name: 'free' })
  const readInTransaction = () => database.write(read, { spaceId: 's' })
  const newer = await openPostgres({ url })
  const widen = (column: string) =>
    newer.write(async tx => {
      await tx.raw('alter table "plans" add column ?? text', [column])
      await tx('migrations').insert({ name: column, batch: 2, migration_time: new Date() })
    })
  await readInTransaction()
  await read(database.knex)
  await widen('first')
  expect(await readInTransaction()).toMatchObject([{ first: null }])
  await widen('second')
  expect(await read(database.knex)).toMatchObject([{ second: null }])
  expect(await readInTransaction()).toMatchObject([{ second: null }])
  await newer.close()
})
