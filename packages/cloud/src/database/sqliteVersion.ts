// The version of the data in SQLite: shows at once that nothing was written since.

import type { Connection } from './sqliteConnection.ts'

/** Makes a function that reads one number. */
function reader(connection: Connection, sql: string): () => number {
  const statement = connection.prepare(sql).pluck()
  return () => statement.get() as number
}

const ownChanges = 'select total_changes()'

/** How many rows this connection has written, committed or not (https://sqlite.org/c3ref/total_changes.html). */
export const totalChangesOf = (connection: Connection): number =>
  connection.prepare(ownChanges).pluck().get() as number

/**
 * `Database.version`, in about a microsecond. SQLite knows what other connections have committed
 * (https://sqlite.org/pragma.html#pragma_data_version), and how many rows this one has written
 * (`totalChangesOf`). Both numbers only grow while a connection lives.
 */
export function versionOf(current: () => Connection | undefined): () => number {
  let version = 0
  let known: Connection | undefined
  let read = { others: () => 0, own: () => 0 }
  let [others, own] = [0, 0]
  return () => {
    const connection = current()
    if (!connection) return ++version
    if (connection !== known) {
      known = connection
      read = {
        others: reader(connection, 'PRAGMA data_version'),
        own: reader(connection, ownChanges),
      }
      version++
    }
    const [nowOthers, nowOwn] = [read.others(), read.own()]
    if (nowOthers !== others || nowOwn !== own) version++
    others = nowOthers
    own = nowOwn
    return version
  }
}
