import { fakeWorld } from '@callgate/world/fake'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { emptyPostgres } from '../database/postgres.kit.ts'
import { openPostgres } from '../database/postgres.ts'
import { createSeal } from '../secrets/sealing.ts'
import { newSpace } from '../space/space.kit.ts'
import { verify } from './verify.ts'

const world = fakeWorld()
const seal = createSeal(world, new Map([[1, world.randomBytes(32)]]))
let url = ''
let database: Database
let spaceId = ''
beforeEach(async () => {
  url = await emptyPostgres()
  database = await openPostgres({ url })
  await migrate(database)
  spaceId = await newSpace({ world, database })
})
afterEach(() => database.close())

it('finds nothing wrong with tables that this version has made, and leaves nothing behind', async () => {
  expect(await verify(database, seal)).toEqual([])
  const { rows } = await database.knex.raw(
    `select count(*) as schemas from pg_namespace where nspname = 'callgateFresh'`,
  )
  expect(rows).toEqual([{ schemas: 0 }])
})

it('finds every changed, dropped or added part of the tables', async () => {
  await database.knex.raw(`
    drop index openings_of_gate; create index openings_of_gate on openings ("gateId");
    alter table activity disable trigger activity_no_change;
    create or replace function "refuseChange"() returns trigger language plpgsql as 'begin return old; end';
    alter table gates drop constraint gates_spaceid_foreign;
    alter table members alter column name drop not null;
    alter table "restores" drop column "holdsNumbers"; create table "mine" (a integer)`)
  const found = await verify(database, seal)
  expect(found.map(({ id, what }) => `${id} ${what}`)).toEqual(
    expect.arrayContaining([
      'index openings_of_gate was changed',
      'trigger activity_no_change was changed',
      'function refuseChange was changed',
      'constraint gates.gates_spaceid_foreign is missing',
      'column members.name was changed',
      'column restores.holdsNumbers is missing',
      'table mine is not ours',
    ]),
  )
})

it('names the rule that cannot be checked because of an unreadable value, and checks the others', async () => {
  await database.knex.raw(
    `insert into activity values ('act_1', ?, 'gate.created', 'a', 'gate', 'x', '{{', '2026-01-01T00:00:00.000Z')`,
    [spaceId],
  )
  const found = await verify(database, seal)
  const what = 'cannot be checked: a value cannot be read (SQLSTATE 22P02)'
  expect(found).toContainEqual({ rule: 'activity: an entry is found by its target', id: null, what })
  expect(found).toContainEqual({ rule: 'activity.details', id: 'act_1', what: 'is no JSON' })
})

it('reports that the user of the database may not compare the tables, and checks the rows', async () => {
  await database.knex.raw(
    `create role reader login password 'r'; grant select on all tables in schema public to reader;
     update spaces set "createdAt" = 'yesterday'`,
  )
  const reader = await openPostgres({ url: url.replace(/\/\/[^@]*@/, '//reader:r@') })
  expect(await verify(reader, seal)).toEqual([
    {
      rule: 'tables',
      id: null,
      what: 'cannot be compared: the user of DATABASE_URL must own the database, and it must not be a standby',
    },
    { rule: 'spaces.createdAt', id: spaceId, what: 'is no time: yesterday' },
  ])
  await reader.close()
  await database.knex.raw('drop owned by reader; drop role reader')
})
