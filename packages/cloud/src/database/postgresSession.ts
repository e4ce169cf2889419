// One session of Postgres: its settings, the types of its values, errors without values, and its prepared statements.

import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import pg from 'pg'
import type { Binding, Db } from './database.ts'

export type Session = pg.Client

const int8 = 20
const numeric = 1700

/** Counts and sums become numbers, as SQLite gives them: none of ours exceeds the exact ones. */
export const valueTypes: Knex.PgCustomTypesConfig = {
  getTypeParser: (oid: number, format?: string) =>
    oid === int8 || oid === numeric
      ? Number
      : pg.types.getTypeParser(oid, format === 'binary' ? format : 'text'),
}

/** The values that were refused stand in the details of an error, and in the messages of class 22 (data exception). */
function withoutValues(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error
  for (const name of ['detail', 'where', 'internalQuery', 'hint'] as const) delete error[name]
  if (error.code?.startsWith('22')) error.message = `a value was refused (SQLSTATE ${error.code})`
  return error
}

/** Prepares a new session. A lock that is not free within `longestLockMs` fails with SQLSTATE 55P03. */
export async function prepareSession(session: Session, longestLockMs: number): Promise<void> {
  await session.query(`set lock_timeout = ${longestLockMs}`)
  const query = session.query.bind(session) as (...given: unknown[]) => unknown
  type Answer = (error: unknown, result: unknown) => void
  Object.assign(session, {
    query: (asked: unknown, ...rest: unknown[]) => {
      const last = rest.at(-1)
      if (typeof last !== 'function') return query(asked, ...rest)
      const answer: Answer = (error, result) => (last as Answer)(error && withoutValues(error), result)
      return query(asked, ...rest.slice(0, -1), answer)
    },
  })
}

/** Statements are known by their text: a session prepares each once, whoever runs it. */
const nameOf = (sql: string) => createHash('sha256').update(sql).digest('base64url').slice(0, 32)

/** Runs SQL with the places `$1`, `$2` in the transaction `db`, or in a free session of the pool. */
export async function runPrepared(
  { client }: Db,
  sql: string,
  bindings: readonly Binding[],
): Promise<readonly unknown[]> {
  client.emit('query', { sql, bindings })
  const session: Session = await client.acquireConnection()
  try {
    const { rows } = await session.query({ name: nameOf(sql), text: sql, values: [...bindings] })
    return rows
  } catch (error) {
    throw withoutValues(error)
  } finally {
    await client.releaseConnection(session)
  }
}
