// The one database of several simulated clouds, as a real Postgres with the clock of the simulation.

import { tellCommits } from '@callgate/cloud/database/commits'
import { runSql } from '@callgate/cloud/database/database'
import { openPostgres } from '@callgate/cloud/database/postgres'
import { PostgresNews } from '@callgate/cloud/database/postgresNews'
import { postgresTransactions } from '@callgate/cloud/database/postgresTransactions'
import { postgresWords } from '@callgate/cloud/verify/ruleWords'
import type { FakeWorld } from '@callgate/world/fake'
import { createServerClock } from './driftingClock.ts'
import { type OpeningTimes, timesSql } from './lifeDatabase.ts'
import { type Server, sessionsOf } from './postgresSessions.ts'
import type { CommittedGrant, SharedDatabase } from './sharedDatabase.ts'
import { createSlowness } from './slowness.ts'
import { spaceLock } from './spaceLock.ts'

/**
 * `clock_timestamp()` returns the simulation's time, which each transaction brings. The changes of openings are recorded with the
 * commit, because the triggers are deferred.
 */
const furniture = `
  create schema house;
  create function public.clock_timestamp() returns timestamptz language sql volatile as
    $$ select to_timestamp(current_setting('house.now_ms')::float8 / 1000) $$;
  create table house.moves (was text, now text, id text, "atMs" float8);
  create table house.grants (id text, "atMs" float8, "isLeased" boolean);
  create function house.note() returns trigger language plpgsql as $$
  declare ms float8 := current_setting('house.ms')::float8;
  begin
    if tg_op = 'INSERT' then
      insert into house.moves values ('nothing', new.status, new.id, ms);
      return null;
    end if;
    if old.status <> new.status then insert into house.moves values (old.status, new.status, new.id, ms); end if;
    if old."grantedAt" is null and new."grantedAt" is not null then
      insert into house.moves values (null, 'granted', new.id, ms);
      insert into house.grants select new.id, ms, exists (select from replicas r where r.id = new.owner
        and r.epoch = new."ownerEpoch" and r."leaseUntil" > current_setting('house.now'));
    end if;
    return null;
  end $$;
  create constraint trigger noted after insert or update on openings deferrable initially deferred
    for each row execute function house.note()`

/** Our function comes before the system's in the search path. */
const pathSql = 'alter database ?? set search_path = public, pg_catalog'

/** The longest wait for the server, in milliseconds of real time. */
const longestWorkMs = 300_000

/** The database at that address, with the tables of this version. It must be new, and used by nothing else. */
export async function openSharedPostgres(world: FakeWorld, url: string): Promise<SharedDatabase> {
  const operator = await openPostgres({ url })
  const lock = spaceLock(world)
  const slowness = createSlowness(world)
  const clock = createServerClock(world)
  const { nowMs } = clock
  const server: Server = { world, url, lock, slowness, nowMs, working: new Set(), beginning: new Set() }
  const closings: (() => Promise<unknown>)[] = []
  world.waitFor(() => server.working.size > 0 || (server.beginning.size > 0 && !lock.isHeld()), longestWorkMs)

  async function rows<Row>(sql: string, ...values: readonly (string | number)[]): Promise<Row[]> {
    let place = 0
    const numbered = values.length > 0 ? sql.replaceAll('?', () => `$${++place}`) : sql
    const asked = {}
    server.working.add(asked)
    try {
      return [...(await runSql(operator.knex, numbered, values))] as Row[]
    } finally {
      server.working.delete(asked)
    }
  }

  await operator.knex.raw(furniture)
  const [{ name = '' } = {}] = await rows<{ name: string }>('select current_database() as name')
  await operator.knex.raw(pathSql, [name])
  return {
    asDatabase: operator,
    lostCode: 'ECONNRESET',
    ruleWords: postgresWords,
    of(life, way) {
      const pool = sessionsOf(server, life, way)
      const [knex, forUrgent] = [pool(10), pool(1)]
      const news = new PostgresNews(knex, life.world)
      const bounds = { patience: { world: life.world, withinMs: 2_000 }, serverTime: life.world }
      const inTurn = postgresTransactions(knex, bounds)
      const atOnce = postgresTransactions(forUrgent, bounds)
      const { guardBy, onEvents, write } = tellCommits(
        (work, options) => (options?.isUrgent ? atOnce : inTurn)(work, options),
        news,
      )
      // Connections of a dead process are never given back, so closing does not wait for the pools.
      closings.push(async () => void Promise.all([knex.destroy(), forUrgent.destroy()]).catch(() => {}))
      return { knex, write, onEvents, guardBy, lock: operator.lock, close: async () => {} }
    },
    nowMs,
    clock,
    slowness,
    isLocked: lock.isHeld,
    locked: lock.held,
    rows,
    change: async (sql, ...values) => void (await rows(sql, ...values)),
    times: () => rows<OpeningTimes & { id: string }>(timesSql('house.moves')),
    grants: () => rows<CommittedGrant>('select * from house.grants'),
    async close() {
      for (const end of closings) await end()
      await operator.close()
    },
  }
}
