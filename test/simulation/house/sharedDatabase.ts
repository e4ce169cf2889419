// The one database of several simulated clouds: whole transactions of all of them, one after the other.

import { tellCommits } from '@callgate/cloud/database/commits'
import { type Database, openDatabase } from '@callgate/cloud/database/database'
import { setTimeIn } from '@callgate/cloud/database/databaseTime'
import { groupedTransactions } from '@callgate/cloud/database/groupCommit'
import { connectionOf, emptyTables } from '@callgate/cloud/database/tables.kit'
import type { Transact } from '@callgate/cloud/database/transactions'
import { type RuleWords, sqliteWords } from '@callgate/cloud/verify/ruleWords'
import type { FakeWorld } from '@callgate/world/fake'
import { isoTime } from '@callgate/world/world'
import type { Span } from '../../checker/facts.ts'
import type { DatabaseWay, LostCode } from './databaseWay.ts'
import { createServerClock, type ServerClock } from './driftingClock.ts'
import type { Life } from './life.ts'
import { noteMoves, type OpeningTimes, readTimes } from './lifeDatabase.ts'
import { knexOf, type Shared } from './sharedConnection.ts'
import { createSlowness, type Slowness } from './slowness.ts'
import { spaceLock } from './spaceLock.ts'

/** SQLite answers at once; Postgres is another process. */
export type AtOnceOrSoon<Answer> = Answer | Promise<Answer>

/** A grant as it was committed. */
export interface CommittedGrant {
  readonly id: string
  readonly atMs: number
  /** Whether the lease of its owner was valid. */
  readonly isLeased: number
}

export interface SharedDatabase {
  /** Access without a cloud, to fill the tables. */
  readonly asDatabase: Database
  /** The database as one run of a cloud reaches it. When `life` dies, its open transaction is rolled back. */
  of(life: Life, way: DatabaseWay): Database
  /** The error of a cloud whose connection is cut. */
  readonly lostCode: LostCode
  readonly ruleWords: RuleWords
  /** The clock of its server, milliseconds since the epoch. */
  nowMs(): number
  readonly clock: ServerClock
  readonly slowness: Slowness
  /** Whether a transaction has stalled in its middle, so that nobody else can write. */
  isLocked(): boolean
  /** When that was the case. */
  locked(): readonly Span[]
  /** Reads rows immediately, without a cloud. */
  rows<Row>(sql: string, ...values: readonly (string | number)[]): AtOnceOrSoon<Row[]>
  /** Commits a change from outside of the clouds immediately. */
  change(sql: string, ...values: readonly (string | number)[]): AtOnceOrSoon<void>
  times(): AtOnceOrSoon<readonly (OpeningTimes & { readonly id: string })[]>
  grants(): AtOnceOrSoon<readonly CommittedGrant[]>
  close(): Promise<void>
}

const noteLeases = `
  create temp table grants (id text, "atMs" real, "isLeased" integer);
  create temp trigger leased after update of "grantedAt" on main.openings when old."grantedAt" is null
    begin insert into grants select new.id, house_ms(), exists (
      select 1 from main.replicas where id = new.owner and epoch = new."ownerEpoch"
      and "leaseUntil" > house_now()); end`

const lockedNow = new Error('another transaction of the Space is not over')

/** Writes of one run of a cloud, in transactions with the server's time. */
function writesOf(shared: Shared, knex: Database['knex'], life: Life, nowMs: () => number): Transact {
  const { lock } = shared
  const runner = () => groupedTransactions(knex, { world: life.world, withinMs: 2_000 })
  const usual = runner()
  /** How many transactions of this run have not ended. */
  let open = 0
  return async (work, options) => {
    for (;;) {
      const isLocking = options?.spaceId !== null
      if (isLocking) await lock.whenFree()
      // Each Space has a commit of its own, as on Postgres. One without a Space shares it with no other.
      const alone = { committed: options?.committed }
      // Where statements take time, one transaction may begin before another one is over.
      const run = open > 0 ? runner() : usual
      open += 1
      try {
        return await run(tx => {
          if (isLocking && lock.isHeld()) throw lockedNow
          const [beganMs, sinceMs] = [nowMs(), life.world.monotonicMs()]
          shared.isLocking = isLocking
          shared.clock = () => Math.floor(beganMs + life.world.monotonicMs() - sinceMs)
          setTimeIn(tx, shared.clock)
          return work(tx)
        }, alone)
      } catch (error) {
        if (error !== lockedNow) throw error
      } finally {
        open -= 1
      }
    }
  }
}

/** Opens the database with empty tables. */
export async function openSharedDatabase(world: FakeWorld): Promise<SharedDatabase> {
  const database = await openDatabase({ url: ':memory:' })
  const connection = await connectionOf(database)
  const lock = spaceLock(world)
  const slowness = createSlowness(world)
  const clock = createServerClock(world)
  const { nowMs } = clock
  const shared: Shared = {
    world,
    knex: database.knex,
    connection,
    lock,
    clock: nowMs,
    isLocking: false,
    slowness,
  }
  connection.function('house_ms', () => world.monotonicMs())
  connection.function('house_now', () => isoTime(shared.clock()))
  connection.exec(`${await emptyTables()};\n${noteMoves};\n${noteLeases}`)
  const prepare = connection.prepare.bind(connection)
  const rows = <Row>(sql: string, ...values: readonly (string | number)[]) =>
    connection.prepare<unknown[], Row>(sql).all(...values)
  return {
    asDatabase: database,
    lostCode: 'SQLITE_BUSY',
    ruleWords: sqliteWords,
    of(life, way) {
      const knex = knexOf(shared, life, way)
      const { guardBy, onEvents, write } = tellCommits(writesOf(shared, knex, life, nowMs))
      const close = async () => {}
      return { ...database, knex, onEvents, guardBy, write, close }
    },
    nowMs,
    clock,
    slowness,
    isLocked: lock.isHeld,
    locked: lock.held,
    rows,
    change: (sql, ...values) => void connection.prepare(sql).run(...values),
    times: () => readTimes({ prepare }),
    grants: () => rows<CommittedGrant>('select * from temp.grants'),
    close: () => database.close(),
  }
}
