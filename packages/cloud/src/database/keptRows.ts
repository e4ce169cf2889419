// Kept rows: what was read is answered from memory while the database is surely as it was.

import type { Database, Db } from './database.ts'
import type { Values } from './statement.ts'

/** How many characters of rows one reader keeps at most; about so many bytes. */
const mostCharacters = 8_000_000

/** About how many characters rows are; little work beside their reading. */
function sizeOf(rows: readonly object[]): number {
  let characters = 0
  for (const row of rows)
    for (const value of Object.values(row)) characters += 30 + (typeof value === 'string' ? value.length : 0)
  return characters
}

/**
 * `read` outside transactions, whose rows are kept until anything is written by any process. So they are what `read` would
 * answer with now. Where the database does not tell its version, each call reads. What finds nothing is not kept: anyone can
 * ask for what is not there.
 */
export function keptRows<Given extends Values, Row extends object>(
  { knex, version }: Pick<Database, 'knex' | 'version'>,
  read: (db: Db, values: Given) => Promise<readonly Row[]>,
): (values: Given) => Promise<readonly Row[]> {
  if (!version) return values => read(knex, values)
  const kept = new Map<string, readonly Row[]>()
  let keptVersion = version()
  let characters = 0
  const forget = () => {
    kept.clear()
    characters = 0
  }
  return async values => {
    // Before the rows: a change while they are read must leave them with the version that is over.
    const current = version()
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
