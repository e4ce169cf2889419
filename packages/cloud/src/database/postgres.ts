// Postgres: the second database, through knex, with a pool of connections and one write at a time, as SQLite has it.

import type { World } from '@callgate/world/world'
import createKnex, { type Knex } from 'knex'
import { tellCommits } from './commits.ts'
import type { Database } from './database.ts'
import { PostgresNews } from './postgresNews.ts'
import { prepareSession, runPrepared, type Session, valueTypes } from './postgresSession.ts'
import { handleOf, type Transact } from './transactions.ts'

/** How long a write waits for a lock that another process holds, in milliseconds. Then the trouble is `busy`. */
const longestLockMs = 5_000
/** How long a query waits for a free connection, in milliseconds. */
const longestWaitMs = 10_000
const mostConnections = 10

/**
 * The lock that every write holds alone, from before its first statement until it is committed. With it, what a
 * transaction has read is true until it ends, also where other processes write.
 */
const takeWriteLock = 'select pg_advisory_xact_lock(1, 0)'

/**
 * Runs each work in a transaction of its own, one after the other. They queue here and not in the database, so that one
 * connection is enough for all that wait. READ COMMITTED, since a snapshot that is kept would be older than the lock.
 */
function transactions(knex: Knex): Transact {
  let last: Promise<unknown> = Promise.resolve()

  async function run<T>(work: (tx: Knex.Transaction) => Promise<T>): Promise<T> {
    let isOver = false
    try {
      return await knex.transaction(
        async tx => {
          await tx.raw(takeWriteLock)
          tx.userParams = knex.userParams
          try {
            return await work(handleOf(tx, () => isOver))
          } finally {
            isOver = true
          }
        },
        { isolationLevel: 'read committed' },
      )
    } finally {
      isOver = true
    }
  }

  return (work, committed) => {
    const mine = last.then(async () => {
      const answer = await run(work)
      committed?.(answer)
      return answer
    })
    last = mine.catch(() => {})
    return mine
  }
}

/** knex's client, with texts of any length and integers of 64 bits, as on SQLite: the API bounds both. */
function textClient(): typeof Knex.Client {
  const { constructor: PostgresClient } = createKnex({ client: 'pg' }).client
  class TextClient extends PostgresClient {
    columnCompiler(...given: unknown[]): object {
      return Object.assign(super.columnCompiler(...given), {
        varchar: () => 'text',
        integer: () => 'bigint',
      })
    }
  }
  return TextClient as unknown as typeof Knex.Client
}

const quiet = () => {}

/**
 * Opens the database that the `postgres://` address `url` names; it must exist, in UTF-8 and with the collation C. Does not
 * migrate. No server may serve from it yet, so the lock of the one server is refused.
 */
export async function openPostgres({
  url,
  world,
}: {
  readonly url: string
  /** With it, the connection that hears the news of other processes is made again when it is lost. */
  readonly world?: World
}): Promise<Database> {
  const knex = createKnex({
    client: textClient(),
    connection: { connectionString: url, types: valueTypes },
    // An error message must hold no values: they would reach the log.
    compileSqlOnError: false,
    acquireConnectionTimeout: longestWaitMs,
    // knex would write to standard output, which belongs to the commands. Every failure also rejects.
    log: { warn: quiet, error: quiet, debug: quiet, deprecate: quiet },
    pool: {
      min: 0,
      max: mostConnections,
      afterCreate: (session: Session, done: (error: Error | null, session: Session) => void) => {
        const failed = (error: Error) => done(error, session)
        prepareSession(session, longestLockMs).then(() => done(null, session), failed)
      },
    },
  })
  knex.userParams = { runPrepared }
  const news = new PostgresNews(knex, world)
  const { onEvents, write } = tellCommits(transactions(knex), news)
  try {
    await knex.raw('select 1')
  } catch (error) {
    await knex.destroy()
    throw error
  }
  const close = () => news.close().finally(() => knex.destroy())
  return { knex, write, onEvents, lock: () => undefined, close }
}
