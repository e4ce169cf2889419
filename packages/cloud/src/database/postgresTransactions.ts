// Transactions on Postgres: each under the lock of its Space, or under that of the whole database.

import { createHash } from 'node:crypto'
import type { World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { troubleOf } from './databaseCodes.ts'
import { setTimeIn } from './databaseTime.ts'
import type { LockPatience } from './foreignLock.ts'
import { GuardedSessions, type ServerFacts, serverSql } from './postgresGuard.ts'
import { knowMigrations, type Session, withoutValues } from './postgresSession.ts'
import { type Locked, lockedBy, SpaceQueues } from './spaceQueues.ts'
import { handleOf, knexInside, type Transact, type WriteOptions } from './transactions.ts'

// Advisory locks (https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS) of one number and of two never
// meet. So the number of the whole database is none of a Space.
const wholeDatabase = 1

/**
 * The two numbers of a Space's lock: 64 bits of a hash of its id. If those of two Spaces were equal, their writes would wait
 * for each other, and nothing else.
 */
function numbersOf(spaceId: string): readonly [number, number] {
  const hash = createHash('sha256').update(spaceId).digest()
  return [hash.readInt32BE(0), hash.readInt32BE(4)]
}

/**
 * SQL that takes the locks of a transaction. Whatever locks Spaces shares the lock of the whole database, and takes those of
 * its Spaces in the order of their numbers: two that take several never wait for each other in turn.
 */
function lockSql(locked: Locked): string {
  // What locks everything, such as a migration, takes as long as it needs.
  if (locked === 'all')
    return `set local statement_timeout = 0; select pg_advisory_xact_lock(${wholeDatabase})`
  const numbers = locked.map(numbersOf).sort(([a, b], [c, d]) => a - c || b - d)
  const spaces = numbers.map(([high, low]) => `select pg_advisory_xact_lock(${high}, ${low})`)
  return [`select pg_advisory_xact_lock_shared(${wholeDatabase})`, ...spaces].join('; ')
}

/**
 * SQL of the server's time once the locks are held, and not of the transaction's begin, which `now()` would be; and of how
 * many migrations the tables have, which none can change meanwhile.
 */
const factsSql = (areCounted: boolean, isGuarded: boolean) =>
  `select extract(epoch from clock_timestamp()) * 1000 as "nowMs", ${
    areCounted ? '(select count(*) from "migrations")' : `to_regclass('"migrations"') is not null`
  } as "migrations"${isGuarded ? `, ${serverSql}` : ''}`

interface Facts extends ServerFacts {
  readonly nowMs: number
  /** How many there are; where they are not counted, whether there can be some. */
  readonly migrations: number
}

/** Begins a transaction in one round trip, and answers with what the server says. */
async function begin(session: Session, locked: Locked, facts: string): Promise<Facts> {
  const sql = `begin isolation level read committed; ${lockSql(locked)}; ${facts}`
  // Of several statements in one query, the answers come as an array, which the types do not know.
  const results = (await session.query(sql)) as unknown as readonly { readonly rows: Facts[] }[]
  const { migrations, nowMs, restores = 0, server = null } = results.at(-1)?.rows[0] ?? {}
  return { migrations: Number(migrations), nowMs: Number(nowMs), restores, server }
}

/** Ends a transaction whose work is done. After an error that the work has caught, Postgres answers with a rollback. */
async function commit(session: Session): Promise<void> {
  const lost = (cause: unknown) => {
    // No trouble by which a request is refused as if nothing had been done.
    if (troubleOf(cause) === 'unreachable') throw new Error('whether it was committed is unknown', { cause })
    throw cause
  }
  const { command } = await session.query('commit').catch(lost)
  if (command !== 'COMMIT') throw new Error('a statement had failed, so nothing was committed')
}

/** Lets the queries of a transaction take as long as they need, as those of a migration do; answers how to end that. */
function unbounded(session: Session): () => void {
  // Read by the driver for each query; its types do not name it.
  const { connectionParameters: bounds } = session as unknown as {
    readonly connectionParameters: { query_timeout: number | undefined }
  }
  const { query_timeout: before } = bounds
  bounds.query_timeout = undefined
  return () => {
    bounds.query_timeout = before
  }
}

/** Measures how long ago the server said its time. */
export type ServerTime = Pick<World, 'monotonicMs'>

interface Transacting {
  readonly patience?: LockPatience
  readonly serverTime?: ServerTime
  readonly guarded?: GuardedSessions
}

/**
 * Runs work in transactions: those of one Space one after the other, beside those of other Spaces. READ COMMITTED, since a
 * snapshot that is kept for a transaction would be older than its locks.
 */
export function postgresTransactions(
  knex: Knex,
  { guarded = new GuardedSessions(), patience, serverTime }: Transacting,
): Transact {
  const { client } = knex
  const queues = new SpaceQueues(patience)
  const insides = new WeakMap<Session, Knex>()
  /** Whether the table of the migrations is there. An empty database has none yet. */
  let areCounted = false

  function insideOf(session: Session): Knex {
    const inside = insides.get(session) ?? knexInside(knex, () => session)
    insides.set(session, inside)
    return inside
  }

  async function runIn<T>(
    session: Session,
    work: (tx: Knex.Transaction) => Promise<T>,
    options: WriteOptions<T>,
  ): Promise<T> {
    let isOver = false
    let bound = () => {}
    const locked = lockedBy(options)
    try {
      const facts = await begin(session, locked, factsSql(areCounted, guarded.guard !== undefined))
      const { migrations, nowMs: beganMs } = facts
      if (areCounted) knowMigrations(session, migrations)
      areCounted ||= migrations > 0
      if (locked === 'all') bound = unbounded(session)
      const tx = handleOf(insideOf(session), () => isOver)
      // The answer's way here is not counted: so a later transaction never has an earlier time.
      const receivedMs = serverTime?.monotonicMs() ?? 0
      if (serverTime) setTimeIn(tx, () => Math.floor(beganMs + serverTime.monotonicMs() - receivedMs))
      const { isMark = false, isUrgent = false } = options
      await guarded.before(tx, session, facts, { isMark, isUrgent })
      const answer = await work(tx)
      isOver = true
      await commit(session)
      return answer
    } catch (error) {
      isOver = true
      // Where the connection is lost, Postgres has rolled back.
      await session.query('rollback').catch(() => {})
      throw withoutValues(error)
    } finally {
      bound()
    }
  }

  async function runOnce<T>(
    work: (tx: Knex.Transaction) => Promise<T>,
    options: WriteOptions<T>,
  ): Promise<T> {
    const session: Session = await client.acquireConnection()
    try {
      const answer = await runIn(session, work, options)
      options.committed?.(answer)
      return answer
    } finally {
      await client.releaseConnection(session)
    }
  }

  return (work, options = {}) =>
    queues.run(lockedBy(options), () => guarded.whenSettled(() => runOnce(work, options)))
}
