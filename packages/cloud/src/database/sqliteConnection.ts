// One connection to SQLite, as safe and as quick as this program needs it.

import type BetterSqlite3 from 'better-sqlite3'

export type Connection = BetterSqlite3.Database
type Statement = BetterSqlite3.Statement

/** How many prepared statements are kept; the program has fewer. */
const keptStatements = 256

/**
 * Bytes of a page. A commit writes each page that it has changed as a whole, and an opening changes some bytes each in 40 pages
 * of the indexes. With the usual 4,096 bytes it writes twice as much to the disk, and takes longer. With 512, entries of indexes would not fit.
 */
const pageBytes = 1_024
/** How far the file of commits grows before its pages are written to their places: as with 1,000 pages of 4,096 bytes. */
const walBytes = 4_096_000

/**
 * `sql` with `+?` for each `?` outside quotes: the same value, whose statement is planned once. SQLite plans a statement anew
 * after each binding of a `?` whose value could lead to another plan, here nearly all of them, and that takes longer than a
 * short query (https://sqlite.org/c3ref/prepare.html).
 */
export function plannedOnce(sql: string): string {
  return sql.replace(/'[^']*'|"[^"]*"|`[^`]*`|\?/g, part => (part === '?' ? '+?' : part))
}

/** Makes the connection as safe and as quick as this program needs it: knex prepares a statement for every call. */
export function prepareConnection(connection: Connection, onlyReads: boolean): void {
  // Nothing else runs while the connection is made.
  connection.pragma('busy_timeout = 5000')
  // An existing file keeps its own. A backup is written with this one, so a restore takes it over.
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
