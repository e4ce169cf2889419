// Postgres: the second database, through knex, with a pool of connections. Writes of different Spaces run at the same time.

import type { World } from '@callgate/world/world'
import createKnex, { type Knex } from 'knex'
import { tellCommits } from './commits.ts'
import { type Database, explained } from './database.ts'
import { serverName } from './databaseAddress.ts'
import { codeOf } from './databaseCodes.ts'
import { DatabaseError } from './databaseError.ts'
import type { LockPatience } from './foreignLock.ts'
import { GuardedSessions } from './postgresGuard.ts'
import { lockPostgres } from './postgresLock.ts'
import { PostgresNews } from './postgresNews.ts'
import { prepareSession, runPrepared, type Session, valueTypes } from './postgresSession.ts'
import { postgresTransactions, type ServerTime } from './postgresTransactions.ts'
import { unsuitable } from './postgresTroubles.ts'

/** How long a write waits for a lock that another process holds, in milliseconds. Then the trouble is `busy`. */
const longestLockMs = 5_000
/** How long a query waits for a free connection, in milliseconds. */
const longestWaitMs = 10_000
const mostConnections = 10

/** knex's client, with texts of any length and integers of 64 bits, as on SQLite: the API limits both. */
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
 * The longest waits where the network is silent, in milliseconds: for a connection, and for the answer to a query. The latter is
 * longer than any query but those of a migration.
 */
const networkTimeouts = { connectionTimeoutMillis: 5_000, query_timeout: 20_000, keepAlive: true } as const

/** A transaction may send a query before the answers to those before it. knex passes this on to the driver. */
const pipelining = { pipeline: true } as const

const factsSql = `select current_setting('server_version_num')::int as version,
  pg_encoding_to_char(d.encoding) as encoding,
  coalesce(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale', d.datcollate) as collation,
  to_jsonb(d) ->> 'datlocprovider' as provider
  from pg_database d where d.datname = current_database()`

async function refuseUnsuitable(knex: Knex, url: string): Promise<void> {
  const { rows } = await knex.raw(factsSql)
  const why = unsuitable(serverName(url), rows[0])
  if (why !== undefined) throw new DatabaseError('unsupported', why)
}

/** The error where the address names a file, such as a certificate authority's, and it cannot be read. */
function unreadableFile(error: unknown): DatabaseError | undefined {
  if (!(error instanceof Error && 'syscall' in error && error.syscall === 'open' && 'path' in error))
    return undefined
  const file = `DATABASE_URL names the file ${error.path}, which cannot be read: ${codeOf(error)}`
  return new DatabaseError('unsupported', `${file}. Check sslrootcert, sslcert and sslkey in DATABASE_URL.`)
}

/** knex with a pool of at most `connections` connections. */
export function pooled(url: string, connections: number): Knex {
  const knex = createKnex({
    client: textClient(),
    connection: { connectionString: url, types: valueTypes, ...networkTimeouts, ...pipelining },
    // An error message must hold no values: they would reach the log.
    compileSqlOnError: false,
    acquireConnectionTimeout: longestWaitMs,
    // knex would write to standard output, which belongs to the commands. Every failure also rejects.
    log: { warn: quiet, error: quiet, debug: quiet, deprecate: quiet },
    pool: {
      min: 0,
      max: connections,
      afterCreate: (session: Session, done: (error: Error | null, session: Session) => void) => {
        const failed = (error: Error) => done(error, session)
        prepareSession(session, longestLockMs).then(() => done(null, session), failed)
      },
    },
  })
  knex.userParams = { runPrepared }
  return knex
}

/**
 * Opens the database that the `postgres://` address `url` names; it must exist, in UTF-8 and with the collation C. Does not
 * migrate. Rejects with a `DatabaseError` where it cannot be used.
 */
export async function openPostgres({
  url,
  world,
  ...transacting
}: {
  readonly url: string
  readonly patience?: LockPatience
  /** If present, a transaction has the time of the server's clock; otherwise that of the world, as in tests. See `timeIn`. */
  readonly serverTime?: ServerTime
  /** If present, the connection for the news of other processes is opened again when it is lost. */
  readonly world?: World
}): Promise<Database> {
  const knex = pooled(url, mostConnections)
  const forUrgent = pooled(url, 1)
  const news = new PostgresNews(knex, world)
  const guarded = new GuardedSessions()
  const inTurn = postgresTransactions(knex, { ...transacting, guarded })
  const atOnce = postgresTransactions(forUrgent, { ...transacting, guarded })
  const { guardBy, onEvents, write } = tellCommits(
    (work, options) => (options?.isUrgent ? atOnce : inTurn)(work, options),
    news,
    guarded,
  )
  try {
    await refuseUnsuitable(knex, url)
  } catch (error) {
    await Promise.all([knex.destroy(), forUrgent.destroy()])
    throw unreadableFile(error) ?? explained(error, url)
  }
  const close = () =>
    news.close().finally(() => Promise.all([knex.destroy(), forUrgent.destroy()]).then(quiet))
  const lock = async (how: 'alone' | 'shared' = 'alone') => {
    const taken = await lockPostgres(knex, how, world)
    if (taken && how === 'alone') news.isAlone = true
    return taken
  }
  return { knex, write, onEvents, guardBy, lock, close }
}
