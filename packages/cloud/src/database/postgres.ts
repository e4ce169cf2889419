// Postgres: the second database, through knex, with a pool of connections. Writes of different Spaces run beside each other.

import type { World } from '@callgate/world/world'
import createKnex, { type Knex } from 'knex'
import { tellCommits } from './commits.ts'
import type { Database } from './database.ts'
import type { LockPatience } from './foreignLock.ts'
import { PostgresNews } from './postgresNews.ts'
import { prepareSession, runPrepared, type Session, valueTypes } from './postgresSession.ts'
import { postgresTransactions, type ServerTime } from './postgresTransactions.ts'

/** How long a write waits for a lock that another process holds, in milliseconds. Then the trouble is `busy`. */
const longestLockMs = 5_000
/** How long a query waits for a free connection, in milliseconds. */
const longestWaitMs = 10_000
const mostConnections = 10

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
  ...transacting
}: {
  readonly url: string
  readonly patience?: LockPatience
  /** With it, the server's clock gives the time of a transaction; else the world does, as in tests. See `timeIn`. */
  readonly serverTime?: ServerTime
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
  const { onEvents, write } = tellCommits(postgresTransactions(knex, transacting), news)
  try {
    await knex.raw('select 1')
  } catch (error) {
    await knex.destroy()
    throw error
  }
  const close = () => news.close().finally(() => knex.destroy())
  return { knex, write, onEvents, lock: () => undefined, close }
}
