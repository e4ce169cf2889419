// Transactions on Postgres: each under the lock of its Space, or under that of the whole database.

import { createHash } from 'node:crypto'
import type { World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { codeOf, troubleOf } from './databaseCodes.ts'
import { setTimeIn } from './databaseTime.ts'
import type { LockPatience } from './foreignLock.ts'
import { pipelined, type SentWrites } from './pipeline.ts'
import { GuardedSessions, type ServerFacts, serverSql } from './postgresGuard.ts'
import { isOutdated, knowMigrations, type Session, withoutValues } from './postgresSession.ts'
import { SpaceQueues } from './spaceQueues.ts'
import {
  handleOf,
  knexInside,
  type Locked,
  lockedBy,
  type Transact,
  type WriteOptions,
} from './transactions.ts'

// Advisory locks with one number never conflict with those with two
// (https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS). So the number of the whole database is not that
// of a Space.
const wholeDatabase = 1

/**
 * The two numbers of a Space's lock: 64 bits of a hash of its id. Two Spaces with equal numbers would only wait for each other's
 * writes.
 */
function numbersOf(spaceId: string): readonly [number, number] {
  const hash = createHash('sha256').update(spaceId).digest()
  return [hash.readInt32BE(0), hash.readInt32BE(4)]
}

/**
 * SQL that takes the locks of a transaction. Locks of Spaces share the lock of the whole database, and are taken in the order of
 * their numbers, so that two transactions never deadlock.
 */
function lockSql(locked: Locked): string {
  // A transaction that locks everything, such as a migration, takes as long as it needs.
  if (locked === 'all')
    return `set local statement_timeout = 0; select pg_advisory_xact_lock(${wholeDatabase})`
  const numbers = locked.map(numbersOf).sort(([a, b], [c, d]) => a - c || b - d)
  const spaces = numbers.map(([high, low]) => `select pg_advisory_xact_lock(${high}, ${low})`)
  return [`select pg_advisory_xact_lock_shared(${wholeDatabase})`, ...spaces].join('; ')
}

/**
 * SQL of the server's time after the locks are held, while `now()` would be the begin of the transaction; and of the number of
 * migrations, which nobody can change meanwhile.
 */
const factsSql = (areCounted: boolean, isGuarded: boolean) =>
  `select extract(epoch from clock_timestamp()) * 1000 as "nowMs", ${
    areCounted ? '(select count(*) from "migrations")' : `to_regclass('"migrations"') is not null`
  } as "migrations"${isGuarded ? `, ${serverSql}` : ''}`

interface Facts extends ServerFacts {
  readonly nowMs: number
  /** The number of migrations; where they are not counted, whether there can be some. */
  readonly migrations: number
}

/** Begins a transaction in one round trip, and returns the server's facts. */
async function begin(session: Session, locked: Locked, facts: string): Promise<Facts> {
  const sql = `begin isolation level read committed; ${lockSql(locked)}; ${facts}`
  // The answers to several statements in one query come as an array, which the types do not show.
  const results = (await session.query(sql)) as unknown as readonly { readonly rows: Facts[] }[]
  const { migrations, nowMs, restores = 0, server = null } = results.at(-1)?.rows[0] ?? {}
  return { migrations: Number(migrations), nowMs: Number(nowMs), restores, server }
}

/**
 * Ends a transaction whose work is done, in one round trip with the writes that were only sent. Where one of them has failed, or
 * the work has caught an error of a statement, Postgres answers with a rollback.
 */
async function commit(session: Session, writes: SentWrites): Promise<void> {
  const lost = (cause: unknown) => {
    // Not a trouble: a trouble would answer a request as if nothing had been done.
    if (troubleOf(cause) === 'unreachable') throw new Error('whether it was committed is unknown', { cause })
    throw cause
  }
  const { command } = await session.query('commit').catch(lost)
  if (command !== 'COMMIT')
    throw (await writes.failure()) ?? new Error('a statement had failed, so nothing was committed')
  await writes.done()
}

/** An earlier statement of the transaction has failed. */
const isAborted = (error: unknown) => codeOf(error) === '25P02'

/** The tables have changed since a session prepared a statement that it sent with a beginning. Nothing was done. */
const outdated = new Error('the tables have changed')

/** Where the beginning fails, nobody awaits what was sent with it. */
function readEarly(reads: readonly Promise<unknown>[]): Promise<unknown> {
  const rows = Promise.all(reads).catch((error: unknown) => {
    throw isOutdated(error) ? outdated : error
  })
  rows.catch(() => {})
  return rows
}

/** Lets the queries of a transaction take as long as they need, like those of a migration; returns a function that ends this. */
function unbounded(session: Session): () => void {
  // The driver reads this for each query; its types do not show it.
  const { connectionParameters: bounds } = session as unknown as {
    readonly connectionParameters: { query_timeout: number | undefined }
  }
  const { query_timeout: before } = bounds
  bounds.query_timeout = undefined
  return () => {
    bounds.query_timeout = before
  }
}

const insides = new WeakMap<Session, Knex>()

/** A knex for the transactions of one session. */
function insideOf(knex: Knex, session: Session): Knex {
  const inside = insides.get(session) ?? knexInside(knex, () => session)
  insides.set(session, inside)
  return inside
}

/** The clock that measures how long ago the server gave its time. */
export type ServerTime = Pick<World, 'monotonicMs'>

interface Transacting {
  readonly patience?: LockPatience
  readonly serverTime?: ServerTime
  readonly guarded?: GuardedSessions
}

/**
 * Runs work in transactions: those of one Space one after the other, beside those of other Spaces. They are READ COMMITTED,
 * because a snapshot for the whole transaction would be older than its locks.
 */
export function postgresTransactions(
  knex: Knex,
  { guarded = new GuardedSessions(), patience, serverTime }: Transacting,
): Transact {
  const { client } = knex
  const queues = new SpaceQueues(patience)
  /** Whether the table of the migrations exists. An empty database does not have it yet. */
  let areCounted = false

  async function runIn<T>(
    session: Session,
    work: (tx: Knex.Transaction) => Promise<T>,
    options: WriteOptions<T>,
  ): Promise<T> {
    let isOver = false
    let bound = () => {}
    const locked = lockedBy(options)
    const tx = handleOf(insideOf(knex, session), () => isOver)
    const writes = pipelined(tx)
    try {
      const begun = begin(session, locked, factsSql(areCounted, guarded.guard !== undefined))
      const read = readEarly(options.first?.map(early => early.send(tx)) ?? [])
      const facts = await begun
      const { migrations, nowMs: beganMs } = facts
      if (areCounted) knowMigrations(session, migrations)
      areCounted ||= migrations > 0
      if (locked === 'all') bound = unbounded(session)
      // The time of the answer's transport is not counted, so that a later transaction never has an earlier time.
      const receivedMs = serverTime?.monotonicMs() ?? 0
      if (serverTime) setTimeIn(tx, () => Math.floor(beganMs + serverTime.monotonicMs() - receivedMs))
      const { isMark = false, isUrgent = false } = options
      await guarded.before(tx, session, facts, { isMark, isUrgent })
      await read
      const answer = await work(tx)
      isOver = true
      await commit(session, writes)
      return answer
    } catch (error) {
      isOver = true
      // Where the connection is lost, Postgres has rolled back.
      await session.query('rollback').catch(() => {})
      throw withoutValues((isAborted(error) && (await writes.failure())) || error)
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
      const answer = await runIn(session, work, options).catch((error: unknown) => {
        if (error !== outdated) throw error
        return runIn(session, work, { ...options, first: undefined })
      })
      options.committed?.(answer)
      return answer
    } finally {
      await client.releaseConnection(session)
    }
  }

  return (work, options = {}) =>
    queues.run(lockedBy(options), () => guarded.whenSettled(() => runOnce(work, options)))
}
