// One connection to SQLite, with the durability and speed that this program needs.

import type BetterSqlite3 from 'better-sqlite3'

export type Connection = BetterSqlite3.Database
type Statement = BetterSqlite3.Statement

/** The limit on prepared statements; the program has fewer. */
const keptStatements = 256

/**
 * Bytes of a page. A commit writes each changed page as a whole, and an opening changes a few bytes in each of 40 index pages.
 * With the usual 4,096 bytes it writes twice as much to the disk, and takes longer. With 512, index entries would not fit.
 */
const pageBytes = 1_024
/** How far the WAL grows until a commit writes its pages to the database. `checkpoints.ts` does so much earlier. */
const walBytes = 32_768_000

/**
 * `sql` with `+?` for each `?` outside quotes: the same value, but the statement is planned only once. SQLite plans a statement
 * again after each binding of a `?` whose value could lead to another plan. Here this affects nearly all of them, and planning
 * takes longer than a short query (https://sqlite.org/c3ref/prepare.html).
 */
export function plannedOnce(sql: string): string {
  return sql.replace(/'[^']*'|"[^"]*"|`[^`]*`|\?/g, part => (part === '?' ? '+?' : part))
}

/** Sets up the connection and caches statements: knex prepares one for every call. */
export function prepareConnection(connection: Connection, onlyReads: boolean): void {
  // Nothing else runs while the connection is opened.
  connection.pragma('busy_timeout = 5000')
  // An existing file keeps its page size. A backup is written with this one, so a restore brings it in.
  connection.pragma(`page_size = ${pageBytes}`)
  connection.pragma(`wal_autocheckpoint = ${walBytes / pageBytes}`)
  // Written into the file only when it differs: a write would change the checksum of a backup.
  if (!onlyReads) connection.pragma('journal_mode = WAL')
  connection.pragma('synchronous = FULL')
  connection.pragma('foreign_keys = ON')
  connection.pragma('trusted_schema = OFF')
  // SQLite's own wait would block the whole process, so `foreignLock.ts` waits instead.
  connection.pragma('busy_timeout = 0')
  const prepare = connection.prepare.bind(connection)
  const statements = new Map<string, Statement>()
  const prepared = (sql: string): Statement => {
    const known = statements.get(sql)
    if (known) return known
    const statement = prepare(plannedOnce(sql))
    if (statements.size < keptStatements && /^(select|insert|update|delete)/i.test(sql))
      statements.set(sql, statement)
    return statement
  }
  Object.assign(connection, { prepare: prepared })
}
