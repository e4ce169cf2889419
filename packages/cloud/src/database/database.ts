// The database: only this file knows which product it is. SQLite through knex, one connection, one writer.

import { chmodSync, closeSync, existsSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import createKnex, { type Knex } from 'knex'
import { checkpointsOf } from './checkpoints.ts'
import { type Commits, tellCommits } from './commits.ts'
import { isServer, serverName } from './databaseAddress.ts'
import { advice, codeOf, troubleOf } from './databaseCodes.ts'
import { DatabaseError, type DatabaseTrouble } from './databaseError.ts'
import { isLocked, type LockPatience } from './foreignLock.ts'
import { groupedTransactions } from './groupCommit.ts'
import { postgresAdvice } from './postgresTroubles.ts'
import { type Connection, prepareConnection } from './sqliteConnection.ts'
import { versionOf } from './sqliteVersion.ts'
import type { Transact } from './transactions.ts'
import { markerOf } from './unfinishedRestore.ts'

/** Where a query may run: outside a transaction, or inside one. */
export type Db = Knex | Knex.Transaction

export interface Database {
  readonly knex: Knex
  /**
   * Runs `work` in one transaction that holds the write lock from its first statement: on SQLite the lock of the file, on
   * Postgres that of the Spaces in the options; see `WriteOptions`. It commits when `work` resolves and rolls back when it
   * throws. Inside, query only through `tx`: the connections may all be taken.
   * While another program holds the lock, the write waits for as long as the database's patience; then it rejects, and `work` has
   * not run. Every write must go through here: any other write would fail at such a lock.
   */
  readonly write: Transact
  /**
   * A number that changes with any change of a row, by this process or another, and never comes again. An uncommitted change
   * counts too. Absent where it would need a query over the network.
   */
  readonly version?: () => number
  /** Calls `then` with the Spaces of the events that a write has committed, in this process or another; see `Commits`. */
  readonly onEvents: Commits['onEvents']
  /** Lets a guard check that the data has everything that was committed; see `DataGuard`. */
  readonly guardBy: Commits['guardBy']
  /**
   * Takes the lock for serving this data: `alone`, or `shared` with other clouds, which only Postgres can do. Undefined when
   * another process has it. The lock is free again when it is released, or when the process ends in any way. The operator's
   * commands do not need it.
   */
  lock(how?: 'alone' | 'shared'): Promise<ServingLock | undefined>
  close(): Promise<void>
}

export interface ServingLock {
  release(): Promise<void>
  /** Calls `then` when another server took the lock while the database could not be reached. */
  onLost(then: () => void): void
}

/** The trouble behind an error of a query, or of opening; undefined when it is a bug. */
export function databaseTrouble(error: unknown): DatabaseTrouble | undefined {
  if (error instanceof DatabaseError) return error.trouble
  // The only connection is taken, and the query has waited too long for it.
  if (error instanceof Error && error.name === 'KnexTimeoutError') return 'busy'
  return troubleOf(error)
}

/** Whether a write was refused because a unique index already has the value. */
export function isUniqueViolation(error: unknown): boolean {
  return /^(SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)|23505)$/.test(codeOf(error))
}

/** Whether a write was refused for its values: one of another type, or a row that violates a constraint of its table. */
export function isRefusal(error: unknown): boolean {
  return /^(SQLITE_(CONSTRAINT|MISMATCH|TOOBIG)|2[23])/.test(codeOf(error))
}

/** How many rows a query finds. Other databases give the count as text, because it can exceed the exact numbers. */
export async function countRows(query: Knex.QueryBuilder): Promise<number> {
  const [row] = await query.count({ rows: '*' })
  return Number(row?.rows ?? 0)
}

/** Adds advice about the database that `url` names to an error that is a trouble; returns any other error as it is. */
export function explained(error: unknown, url: string): unknown {
  const trouble = databaseTrouble(error)
  if (!trouble || error instanceof DatabaseError) return error
  const message = isServer(url) ? postgresAdvice[trouble](serverName(url)) : advice[trouble](fileOf(url))
  return new DatabaseError(trouble, message)
}

/** The file that a DATABASE_URL names: `sqlite:path`, a path, or `:memory:`. */
export function fileOf(url: string): string {
  const file = url.replace(/^sqlite:(\/\/)?/, '')
  const [, scheme] = /^([a-z][a-z0-9+.-]+:)/i.exec(file) ?? []
  if (scheme) throw new DatabaseError('unsupported', advice.unsupported(scheme))
  return file === ':memory:' ? file : resolve(file)
}

/** The state that knex carries through the whole program and into every transaction: the one connection of SQLite. */
interface Held {
  connection?: Connection
  /** Held here because the garbage collector closes a connection without a reference. */
  lock?: Connection
  /** Runs SQL in the way of Postgres. */
  runPrepared?: typeof runSql
}

export type Binding = string | number | boolean | null

function execute(connection: Connection, sql: string, bindings: readonly Binding[]): readonly unknown[] {
  const statement = connection.prepare(sql)
  const values = bindings.map(value => (typeof value === 'boolean' ? Number(value) : value))
  if (statement.reader) return statement.all(values)
  statement.run(values)
  return []
}

/**
 * Runs SQL beside knex and returns its rows: inside a transaction at once, outside as soon as the one connection is free, which
 * it is unless a transaction runs. It emits knex's events, and rejects as knex does.
 */
export async function runSql(db: Db, sql: string, bindings: readonly Binding[]): Promise<readonly unknown[]> {
  const { client } = db
  const { connection, runPrepared } = db.userParams as Held
  if (runPrepared) return runPrepared(db, sql, bindings)
  client.emit('query', { sql, bindings })
  if (db.isTransaction) {
    if (!connection || (db as Knex.Transaction).isCompleted()) throw new Error('the transaction is over')
    return execute(connection, sql, bindings)
  }
  const isFree = client.pool?.numUsed() === 0 && client.pool.numPendingAcquires() === 0
  if (connection && isFree) return execute(connection, sql, bindings)
  const taken: Connection = await client.acquireConnection()
  try {
    return execute(taken, sql, bindings)
  } finally {
    await client.releaseConnection(taken)
  }
}

const quiet = () => {}

// An empty database beside the real one, with a transaction that never ends. The operating system ends it with the process.
/** `Database.lock` for a file, also for data that does not exist yet or cannot be opened. Its folder must exist. */
export function lockData(file: string, held: Held = {}): { release(): void } | undefined {
  if (file === ':memory:') return { release: quiet }
  const real = existsSync(file) ? realpathSync(file) : join(realpathSync(dirname(file)), basename(file))
  const place = `${real}-serving`
  // Only the owner may read it, because every reader could hold the lock. An existing file is not opened: closing it would end a
  // lock of this process.
  if (!existsSync(place)) closeSync(openSync(place, 'a', 0o600))
  chmodSync(place, 0o600)
  const connection = new BetterSqlite3(place, { timeout: 0 })
  try {
    connection.pragma('journal_mode = MEMORY')
    connection.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    connection.close()
    if (databaseTrouble(error) === 'busy') return undefined
    throw explained(error, file)
  }
  held.lock = connection
  return { release: () => connection.close() }
}

async function servingLock(file: string, held: Held): Promise<ServingLock | undefined> {
  const taken = lockData(file, held)
  // Nobody can take the lock from a living process.
  return taken && { release: async () => taken.release(), onLost: quiet }
}

interface OpenOptions {
  readonly url: string
  readonly onlyReads?: true
  /** Rejects where there is no file, and does not create one. */
  readonly mustExist?: true
  /** Also opens data that a restore has left unfinished. */
  readonly isRestoring?: true
  readonly patience?: LockPatience
}

function checkFile(file: string, { isRestoring, mustExist }: OpenOptions): void {
  const refuse = (trouble: DatabaseTrouble) => {
    throw new DatabaseError(trouble, advice[trouble](file))
  }
  if (!isRestoring && existsSync(markerOf(file))) refuse('half_restored')
  if (mustExist && !existsSync(file)) refuse('missing')
  if (existsSync(file) && statSync(file).isDirectory()) refuse('a_folder')
}

function createFile(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    closeSync(openSync(file, 'a', 0o600))
  } catch (error) {
    throw explained(error, file)
  }
}

/**
 * Opens the database that `url` names. Creates its file when there is none, readable by its owner only. Does not migrate. With
 * `onlyReads` it creates no file and takes no lock. Without patience a write fails at once while another program writes. Rejects
 * with a `DatabaseError` when the file cannot be used.
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const { onlyReads, url } = options
  const file = fileOf(url)
  checkFile(file, options)
  if (file !== ':memory:' && !onlyReads) createFile(file)
  const held: Held = {}
  const knex = createKnex({
    client: 'better-sqlite3',
    connection: { filename: file },
    useNullAsDefault: true,
    // An error message must hold no values: they would reach the log.
    compileSqlOnError: false,
    acquireConnectionTimeout: 10_000,
    // knex would write to standard output, which belongs to the commands. Every failure also rejects.
    log: { warn: quiet, error: quiet, debug: quiet, deprecate: quiet },
    pool: {
      min: 1,
      max: 1,
      afterCreate: (connection: Connection, done: (error: Error | null, connection: Connection) => void) => {
        try {
          prepareConnection(connection, onlyReads === true)
          held.connection = connection
          done(null, connection)
        } catch (error) {
          // Closed here, because knex does not know the connection yet. SQLite removes the WAL when a connection is closed later.
          connection.close()
          done(error instanceof Error ? error : new Error(String(error)), connection)
        }
      },
    },
  })
  knex.userParams = held
  const checkpoints = file === ':memory:' ? undefined : checkpointsOf(file)
  const transact = groupedTransactions(knex, options.patience, checkpoints?.committed)
  const { guardBy, onEvents, write } = tellCommits((work, options) =>
    transact(work, options).catch((error: unknown) => {
      throw isLocked(error) ? explained(error, file) : error
    }),
  )
  try {
    // Takes the write lock once, so that a file which cannot be written is found now.
    const look = 'select count(*) from sqlite_master'
    await (onlyReads ? knex.raw(look) : write(tx => tx.raw(look)))
  } catch (error) {
    await knex.destroy()
    throw explained(error, file)
  }
  const version = versionOf(() => held.connection)
  const lock = () => servingLock(file, held)
  async function close() {
    await checkpoints?.stop()
    await knex.destroy()
  }
  return { knex, write, version, onEvents, guardBy, lock, close }
}
