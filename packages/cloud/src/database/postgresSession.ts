// One session of Postgres: its settings, the types of its values, errors without values, and its prepared statements.

import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import pg from 'pg'
import { longestIdleMs } from '../core/lease.ts'
import type { Binding, Db } from './database.ts'
import { troubleOf } from './databaseCodes.ts'

export type Session = pg.Client

/** By the number of a type (pg_type.oid): int8 and numeric, the types of counts and sums, and bool. */
const asOnSqlite: Readonly<Record<number, (text: string) => number>> = {
  16: text => Number(text === 't'),
  20: Number,
  1700: Number,
}

/** Gives rows the values of SQLite: 0 and 1 for booleans, and numbers, none of which exceeds the exact integers. */
export const valueTypes: Knex.PgCustomTypesConfig = {
  getTypeParser: (type: number, format?: string) =>
    asOnSqlite[type] ?? pg.types.getTypeParser(type, format === 'binary' ? format : 'text'),
}

/** Removes the refused values, which are in the details of an error and in the messages of class 22 (data exception). */
export function withoutValues(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error
  for (const name of ['detail', 'where', 'internalQuery', 'hint'] as const) delete error[name]
  if (error.code?.startsWith('22')) error.message = `a value was refused (SQLSTATE ${error.code})`
  return error
}

/** Postgres allows no U+0000 in a text. U+FFFD in its place finds nothing, because no id contains it. */
export const storable = (value: unknown) =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value

function withStorable(asked: unknown): unknown {
  const isQuery = asked !== null && typeof asked === 'object' && 'values' in asked
  return isQuery && Array.isArray(asked.values) ? { ...asked, values: asked.values.map(storable) } : asked
}

/**
 * The server ends a statement after this time, with SQLSTATE 57014, which is `busy`. Otherwise it would keep one of the few
 * connections, and the server would go on with it after the process has given it up.
 */
const longestStatementMs = 10_000

/** Removes a lost or silent connection from use. */
function discard(session: Session, error: unknown): void {
  if (troubleOf(error) !== 'unreachable') return
  Object.assign(session, { __knex__disposed: error })
  session.end().catch(() => {})
}

/**
 * Prepares a new session. A lock that is not free within `longestLockMs` fails with SQLSTATE 55P03. The server ends a transaction
 * that is idle for too long, because its process may have stalled while it holds locks. A commit is on the disk before it is
 * answered, whatever the server's default is.
 */
export async function prepareSession(session: Session, longestLockMs: number): Promise<void> {
  await session.query(
    `set lock_timeout = ${longestLockMs}; set idle_in_transaction_session_timeout = ${longestIdleMs};
     set statement_timeout = ${longestStatementMs};
     select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`,
  )
  const query = session.query.bind(session) as (...given: unknown[]) => unknown
  type Answer = (error: unknown, result: unknown) => void
  Object.assign(session, {
    query: (asked: unknown, ...rest: unknown[]) => {
      const last = rest.at(-1)
      const storably = withStorable(asked)
      if (typeof last !== 'function') {
        return Promise.resolve(query(storably, ...rest)).catch((error: unknown) => {
          discard(session, error)
          throw error
        })
      }
      const answer: Answer = (error, result) => {
        if (error) discard(session, error)
        ;(last as Answer)(error && withoutValues(error), result)
      }
      return query(storably, ...rest.slice(0, -1), answer)
    },
  })
}

/** How many migrations a session has seen, and how often it has discarded its statements. */
interface Kept {
  generation: number
  migrations: number | undefined
}

const keptBy = new WeakMap<Session, Kept>()

function keptOf(session: Session): Kept {
  const kept = keptBy.get(session) ?? { generation: 0, migrations: undefined }
  keptBy.set(session, kept)
  return kept
}

/**
 * Records how many migrations the tables have. Where there are more than before, the session prepares its statements again: one
 * that reads all columns fails when a newer version has added one, and its transaction with it.
 */
export function knowMigrations(session: Session, migrations: number): void {
  const kept = keptOf(session)
  if (kept.migrations !== migrations) kept.generation++
  kept.migrations = migrations
}

/** "Cached plan must not change result type": nothing was done. */
export const isOutdated = (error: unknown) => error instanceof pg.DatabaseError && error.code === '0A000'

/** The name of a statement depends on its text: a session prepares each text once, whoever runs it. */
function nameOf(session: Session, sql: string): string {
  const { generation } = keptOf(session)
  return createHash('sha256').update(`${generation} ${sql}`).digest('base64url').slice(0, 32)
}

/** Runs SQL with the placeholders `$1`, `$2` in the transaction `db`, or in a free session of the pool. */
export async function runPrepared(
  { client, isTransaction }: Db,
  sql: string,
  bindings: readonly Binding[],
): Promise<readonly unknown[]> {
  client.emit('query', { sql, bindings })
  const running: Session | undefined = client.running?.()
  const session: Session = running ?? (await client.acquireConnection())
  const run = () => session.query({ name: nameOf(session, sql), text: sql, values: [...bindings] })
  try {
    const { rows } = await run().catch((error: unknown) => {
      if (!isOutdated(error)) throw error
      keptOf(session).generation++
      if (isTransaction) throw error
      return run()
    })
    return rows
  } catch (error) {
    throw withoutValues(error)
  } finally {
    if (!running) await client.releaseConnection(session)
  }
}
