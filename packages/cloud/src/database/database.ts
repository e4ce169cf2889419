// The database: the only file that knows which one it is. SQLite through knex, one connection, one writer at a time.

import { chmodSync, closeSync, existsSync, mkdirSync, openSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import createKnex, { type Knex } from 'knex'
import { advice, codeOf, troubleOfCode } from './databaseCodes.ts'
import { isLocked, type LockPatience, transactions } from './foreignLock.ts'
import { migrations } from './migrations/list.ts'
import { schemaState } from './migrations/schemaState.ts'
import { type Connection, prepareConnection } from './sqliteConnection.ts'
import { markerOf } from './unfinishedRestore.ts'

/** Where a query may run: outside any transaction, or inside one. */
export type Db = Knex | Knex.Transaction

export interface Database {
  readonly knex: Knex
  /**
   * Runs `work` in one transaction that holds the write lock from its first statement. It commits when `work`
   * resolves and rolls back when it throws. Inside, query only through `tx`: there is one connection, and it is taken.
   * While another program holds the lock, it waits as long as the database's patience; then it rejects, and `work` has
   * not run. Every write goes through here: one beside it would fail at such a lock.
   */
  write<T>(work: (tx: Knex.Transaction) => Promise<T>): Promise<T>
  /**
   * Takes the one place of a server on this data; undefined when another has it. It is free again when it is released,
   * or when the process ends, however it ends. Whoever does not serve needs it not: the operator's commands.
   */
  lock(): { release(): void } | undefined
  close(): Promise<void>
}

/** What can be wrong with a database without anybody having made a mistake in the program. */
export type DatabaseTrouble =
  | 'busy'
  | 'full'
  | 'not_writable'
  | 'not_a_database'
  | 'damaged'
  | 'too_new'
  | 'too_old'
  | 'missing'
  | 'half_restored'
  | 'unsupported'

/** Why the database could not be opened or migrated; the message says what to do. */
export class DatabaseError extends Error {
  readonly trouble: DatabaseTrouble
  constructor(trouble: DatabaseTrouble, message: string) {
    super(message)
    this.trouble = trouble
  }
}

/** The trouble that an error from a query, or from opening, tells of; undefined when it is a bug. */
export function databaseTrouble(error: unknown): DatabaseTrouble | undefined {
  if (error instanceof DatabaseError) return error.trouble
  // Every connection is taken: whoever waits for the only one has waited too long.
  if (error instanceof Error && error.name === 'KnexTimeoutError') return 'busy'
  return troubleOfCode(codeOf(error))
}

/** Whether a write was refused because a unique index has the value already. */
export function isUniqueViolation(error: unknown): boolean {
  return /^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(codeOf(error))
}

/** How many rows a query finds. Other databases count beyond what a number holds exactly, and so in text. */
export async function countRows(query: Knex.QueryBuilder): Promise<number> {
  const [row] = await query.count({ rows: '*' })
  return Number(row?.rows ?? 0)
}

/** The error with what to do about the database `file`, where it tells of a trouble; else the error itself. */
export function explained(error: unknown, file: string): unknown {
  const trouble = databaseTrouble(error)
  return trouble && !(error instanceof DatabaseError)
    ? new DatabaseError(trouble, advice[trouble](file))
    : error
}

/** The file that a DATABASE_URL names: `sqlite:path`, a path, or `:memory:`. */
export function fileOf(url: string): string {
  const file = url.replace(/^sqlite:(\/\/)?/, '')
  const [, scheme] = /^([a-z][a-z0-9+.-]+:)/i.exec(file) ?? []
  if (scheme) throw new DatabaseError('unsupported', advice.unsupported(scheme))
  return file === ':memory:' ? file : resolve(file)
}

/** What knex carries for us through the whole program and into every transaction: the one connection. */
interface Held {
  connection?: Connection
  /** Kept from the garbage collector, which closes what nobody refers to. */
  lock?: Connection
}

/** A value that SQLite takes. */
export type Binding = string | number | boolean | null

function execute(connection: Connection, sql: string, bindings: readonly Binding[]): readonly unknown[] {
  const statement = connection.prepare(sql)
  const values = bindings.map(value => (typeof value === 'boolean' ? Number(value) : value))
  if (statement.reader) return statement.all(values)
  statement.run(values)
  return []
}

/**
 * Runs SQL beside knex and answers with its rows: inside a transaction at once, outside as soon as the one connection
 * is free, which it is unless a transaction runs. Tells knex's listeners, and rejects as knex does.
 */
export async function runSql(db: Db, sql: string, bindings: readonly Binding[]): Promise<readonly unknown[]> {
  const { client } = db
  const { connection } = db.userParams as Held
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

// An empty database beside the real one, on which a transaction is begun and never ended: the system ends it with us.
/** `Database.lock`, also for data that is not there yet or cannot be opened; its folder must be there. */
export function lockData(file: string, held: Held = {}): ReturnType<Database['lock']> {
  if (file === ':memory:') return { release: quiet }
  const real = existsSync(file) ? realpathSync(file) : join(realpathSync(dirname(file)), basename(file))
  const place = `${real}-serving`
  // Whoever could read it could hold it. It is not opened when it is there: closing it would end a lock of our own.
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

/**
 * Opens the database that `url` names and makes its file when there is none, readable by its owner only. Does not
 * migrate. Who only reads makes no file and takes no lock. Without patience a write fails at once while another
 * program writes. Rejects with a `DatabaseError` when the file cannot be used.
 */
export async function openDatabase(options: {
  readonly url: string
  readonly onlyReads?: true
  /** Where there is no file, it rejects instead of making one. */
  readonly mustExist?: true
  /** Opens data that a restore has left halfway as well. */
  readonly isRestoring?: true
  readonly patience?: LockPatience
}): Promise<Database> {
  const { isRestoring, onlyReads, url } = options
  const file = fileOf(url)
  const refuse = (trouble: DatabaseTrouble) => {
    throw new DatabaseError(trouble, advice[trouble](file))
  }
  if (!isRestoring && existsSync(markerOf(file))) refuse('half_restored')
  if (options.mustExist && !existsSync(file)) refuse('missing')
  if (file !== ':memory:' && !onlyReads) {
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      closeSync(openSync(file, 'a', 0o600))
    } catch (error) {
      throw explained(error, file)
    }
  }
  const held: Held = {}
  const knex = createKnex({
    client: 'better-sqlite3',
    connection: { filename: file },
    useNullAsDefault: true,
    // Values belong in no error message: they would reach the log.
    compileSqlOnError: false,
    acquireConnectionTimeout: 10_000,
    // knex writes to standard output, which belongs to the commands; whatever fails also rejects.
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
          // Nobody else would: knex does not know it yet, and SQLite removes a WAL when a connection is closed later.
          connection.close()
          done(error instanceof Error ? error : new Error(String(error)), connection)
        }
      },
    },
  })
  knex.userParams = held
  const transact = transactions(knex, options.patience)
  const write: Database['write'] = work =>
    transact(work).catch((error: unknown) => {
      throw isLocked(error) ? explained(error, file) : error
    })
  try {
    // Takes the write lock once, so that a file which cannot be written is known now.
    const look = 'select count(*) from sqlite_master'
    await (onlyReads ? knex.raw(look) : write(tx => tx.raw(look)))
  } catch (error) {
    await knex.destroy()
    throw explained(error, file)
  }
  return { knex, write, lock: () => lockData(file, held), close: () => knex.destroy() }
}

/**
 * Brings the tables to the newest form and answers with the names of the migrations that ran. All in one transaction:
 * a killed process leaves no half and no lock behind, and of two at once the second finds nothing to do.
 */
export async function migrate(database: Database): Promise<readonly string[]> {
  const state = await schemaState(database.knex)
  if (state === 'newer') throw new DatabaseError('too_new', advice.too_new('in DATABASE_URL'))
  // Every command of the operator comes by here, and knex takes its time to find nothing to do.
  if (state === 'current') return []
  const migrationSource: Knex.MigrationSource<string> = {
    getMigrations: async () => Object.keys(migrations),
    getMigrationName: name => name,
    getMigration: async name => {
      const migration = migrations[name]
      if (!migration) throw new Error(`no migration is called ${name}`)
      return migration
    },
  }
  return database.write(async tx => {
    const [, ran]: [number, string[]] = await tx.migrate.latest({ migrationSource, tableName: 'migrations' })
    return ran
  })
}
