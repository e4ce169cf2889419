// Kept rows: a cache of query results that is valid while the database is surely unchanged.

import type { Database, Db } from './database.ts'
import type { Values } from './statement.ts'

/** The limit on the characters of one reader's rows; about as many bytes. */
const mostCharacters = 8_000_000

/** An estimate of the characters in rows, which is cheap compared with reading them. */
function sizeOf(rows: readonly object[]): number {
  let characters = 0
  for (const row of rows)
    for (const value of Object.values(row)) characters += 30 + (typeof value === 'string' ? value.length : 0)
  return characters
}

/**
 * `read` outside transactions, with a cache that is valid until any process writes anything. So the result is always what `read`
 * would return now. With `since`, a version that the caller has asked for, it is what `read` returned then or later: the version
 * of SQLite takes system calls, so a request asks for it once. Where the database has no version number, each call reads. An empty
 * result is not kept: anyone can ask for rows that do not exist.
 */
export function keptRows<Given extends Values, Row extends object>(
  { knex, version }: Pick<Database, 'knex' | 'version'>,
  read: (db: Db, values: Given) => Promise<readonly Row[]>,
): (values: Given, since?: number) => Promise<readonly Row[]> {
  if (!version) return values => read(knex, values)
  const kept = new Map<string, readonly Row[]>()
  let keptVersion = version()
  let characters = 0
  const forget = () => {
    kept.clear()
    characters = 0
  }
  return async (values, since) => {
    // Before the rows: if they change while they are read, they must be kept under the old version.
    const current = since === undefined ? version() : Math.max(since, keptVersion)
    if (current !== keptVersion) forget()
    keptVersion = current
    const key = JSON.stringify(values)
    const known = kept.get(key)
    if (known) return known
    const rows = await read(knex, values)
    if (rows.length === 0 || keptVersion !== current) return rows
    characters += sizeOf(rows)
    if (characters > mostCharacters) forget()
    kept.set(key, rows)
    return rows
  }
}
