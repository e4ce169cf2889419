// The one database of several simulated clouds: whole transactions of all of them, one after the other.

import { tellCommits } from '@callgate/cloud/database/commits'
import { type Database, openDatabase } from '@callgate/cloud/database/database'
import { setTimeIn } from '@callgate/cloud/database/databaseTime'
import type { Connection } from '@callgate/cloud/database/sqliteConnection'
import { transactions } from '@callgate/cloud/database/transactions'
import type { FakeWorld } from '@callgate/world/fake'
import { isoTime } from '@callgate/world/world'

import { type Life, never } from './life.ts'
import {
  connectionOf,
  emptyTables,
  noteMoves,
  type OpeningTimes,
  readMoves,
  readTimes,
} from './lifeDatabase.ts'

/** The way of one cloud to the database. */
export interface DatabaseWay {
  /** From its next statements on it does not reach the database, until it does again. */
  cutAfter(steps: number): void
  reachAgain(): void
  isCut(): boolean
  /** Called before each statement. Throws where the way is cut. */
  pass(): void
}

export function databaseWay(world: FakeWorld, name: string): DatabaseWay {
  let stepsLeft = Number.POSITIVE_INFINITY
  let isCut = false
  return {
    cutAfter(steps) {
      stepsLeft = steps
    },
    reachAgain() {
      stepsLeft = Number.POSITIVE_INFINITY
      isCut = false
      world.log.info('reaches the database again', { who: name })
    },
    isCut: () => isCut,
    pass() {
      if (stepsLeft-- > 0) return
      if (!isCut) world.log.info('is cut off from the database', { who: name, met: ['database cut off'] })
      isCut = true
      throw Object.assign(new Error('the connection is lost'), { code: 'SQLITE_BUSY' })
    },
  }
}

/** A grant as it was committed. */
export interface CommittedGrant {
  readonly id: string
  readonly atMs: number
  /** Whether the lease of its owner held. */
  readonly isLeased: number
}

export interface SharedDatabase {
  /** Without a cloud, for the tables to be filled. */
  readonly asDatabase: Database
  /** The database as one run of a cloud reaches it. When `life` dies, its open transaction is rolled back. */
  of(life: Life, way: DatabaseWay): Database
  /** Reads rows immediately, without a cloud. */
  rows<Row>(sql: string, ...values: readonly (string | number)[]): Row[]
  /** Commits a change of somebody else immediately. */
  change(sql: string, ...values: readonly (string | number)[]): void
  moves(): ReturnType<typeof readMoves>
  times(): readonly (OpeningTimes & { readonly id: string })[]
  grants(): readonly CommittedGrant[]
  close(): Promise<void>
}

const noteLeases = `
  create temp table grants (id text, "atMs" real, "isLeased" integer);
  create temp trigger leased after update of "grantedAt" on main.openings when old."grantedAt" is null
    begin insert into grants select new.id, house_ms(), exists (
      select 1 from main.replicas where id = new.owner and epoch = new."ownerEpoch"
      and "leaseUntil" > house_now()); end`

/** The connection as one cloud sees it. */
function facadeOf(connection: Connection, life: Life, way: DatabaseWay) {
  const hanging = { reader: true, all: never }
  return {
    prepare(sql: string) {
      if (!life.step()) return hanging
      way.pass()
      return connection.prepare(sql)
    },
    exec(sql: string) {
      // The server rolls back what a lost connection has left.
      if (/^rollback/i.test(sql)) return connection.inTransaction && connection.exec(sql)
      if (!/^commit/i.test(sql)) {
        way.pass()
        return connection.exec(sql)
      }
      const wasCut = way.isCut()
      try {
        way.pass()
      } catch (error) {
        // Cut off just now: the commit takes place, and its answer is lost.
        if (!wasCut) connection.exec(sql)
        throw error
      }
      return connection.exec(sql)
    },
    get inTransaction() {
      return connection.inTransaction
    },
  }
}

/** knex of one run of a cloud: its own way to the one connection, which the runs take in turn. */
function knexOf(
  shared: Database['knex'],
  connection: Connection,
  life: Life,
  way: DatabaseWay,
): Database['knex'] {
  const facade = facadeOf(connection, life, way)
  const knex = shared.withUserParams({ connection: facade })
  let taken: Connection | undefined
  const release = () => {
    const own = taken
    taken = undefined
    if (own) void shared.client.releaseConnection(own)
  }
  knex.client.pool = shared.client.pool
  knex.client.acquireConnection = async () => {
    const own: Connection = await shared.client.acquireConnection()
    if (life.isDead()) {
      void shared.client.releaseConnection(own)
      return never()
    }
    taken = own
    return facade
  }
  knex.client.releaseConnection = async () => release()
  life.onDeath(() => {
    if (taken && connection.inTransaction) connection.exec('rollback')
    release()
  })
  return knex
}

/** Opens the database with empty tables. */
export async function openSharedDatabase(world: FakeWorld): Promise<SharedDatabase> {
  const database = await openDatabase({ url: ':memory:' })
  const connection = await connectionOf(database)
  connection.function('house_ms', () => world.monotonicMs())
  connection.function('house_now', () => isoTime(world.nowMs()))
  connection.exec(`${await emptyTables()};\n${noteMoves};\n${noteLeases}`)
  const prepare = connection.prepare.bind(connection)
  const rows = <Row>(sql: string, ...values: readonly (string | number)[]) =>
    connection.prepare<unknown[], Row>(sql).all(...values)
  return {
    asDatabase: database,
    of(life, way) {
      const knex = knexOf(database.knex, connection, life, way)
      const run = transactions(knex, { world: life.world, withinMs: 2_000 })
      const { onEvents, write } = tellCommits((work, options) =>
        run(tx => {
          setTimeIn(tx, world.nowMs)
          return work(tx)
        }, options),
      )
      const close = async () => {}
      return { ...database, knex, onEvents, write, close }
    },
    rows,
    change: (sql, ...values) => void connection.prepare(sql).run(...values),
    moves: () => readMoves({ prepare }),
    times: () => readTimes({ prepare }),
    grants: () => rows<CommittedGrant>('select * from temp.grants'),
    close: () => database.close(),
  }
}
