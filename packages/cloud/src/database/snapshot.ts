// Transactions that change nothing: one that reads a single moment, and one whose changes are rolled back.

import type { Knex } from 'knex'
import { type Database, type Db, runSql } from './database.ts'
import { isPostgres } from './dialect.ts'
import { prepareSession, type Session } from './postgresSession.ts'
import { handleOf, knexInside } from './transactions.ts'

const lockWithinMs = 5_000

/** Runs work on a session of its own, in a transaction that begins with `begin` and is always rolled back. */
async function onSession<T>(
  knex: Knex,
  begin: string,
  work: (tx: Knex.Transaction) => Promise<T>,
): Promise<T> {
  const session: Session = await knex.client.acquireRawConnection()
  let isOver = false
  try {
    await prepareSession(session, lockWithinMs)
    // A query takes longer the larger a table is. The driver reads this for each query; its types do not show it.
    const { connectionParameters: bounds } = session as unknown as {
      readonly connectionParameters: { query_timeout: number | undefined }
    }
    bounds.query_timeout = undefined
    await session.query(`${begin}; set local statement_timeout = 0`)
    const inside = knexInside(knex, () => session)
    return await work(handleOf(inside, () => isOver))
  } finally {
    isOver = true
    await session.query('rollback').catch(() => {})
    await session.end().catch(() => {})
  }
}

/**
 * Runs `work`, which only reads, on the data of one moment, while others read and write. On SQLite nothing else may use the
 * database meanwhile.
 */
export async function readOneMoment<T>({ knex }: Database, work: (db: Db) => Promise<T>): Promise<T> {
  if (isPostgres(knex)) return onSession(knex, 'begin isolation level repeatable read read only', work)
  // Not by knex, whose transactions take the write lock.
  await runSql(knex, 'begin deferred', [])
  try {
    return await work(knex)
  } finally {
    await runSql(knex, 'rollback', [])
  }
}

/** Runs `work` on Postgres and rolls its changes back. */
export function takenBack<T>({ knex }: Database, work: (tx: Knex.Transaction) => Promise<T>): Promise<T> {
  return onSession(knex, 'begin', work)
}

/** The SQLSTATE of a value that a query cannot read (class 22); undefined for any other error. */
export function unreadableValue(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.startsWith('22') && code.length === 5 ? code : undefined
}

/** Runs a query whose failure, on Postgres, does not end the transaction. */
export async function asking<T>(db: Db, query: () => Promise<T>): Promise<T> {
  if (!isPostgres(db) || !db.isTransaction) return query()
  await runSql(db, 'savepoint asking', [])
  try {
    return await query()
  } catch (error) {
    await runSql(db, 'rollback to savepoint asking', [])
    throw error
  } finally {
    await runSql(db, 'release savepoint asking', [])
  }
}
