// Reads a table by an index that the query names.

import type { Knex } from 'knex'
import type { Db } from './database.ts'
import { isPostgres } from './dialect.ts'

/**
 * `table`, read by `index`; the query fails where the index cannot serve it. SQLite has no statistics of the rows here. For a
 * span with a start and an end it would choose the index of the whole Space over that of the gate, and read all openings of the
 * span to find the few of one gate. Postgres has statistics and needs no name.
 */
export function byIndex(db: Db, table: string, index: string): Knex.QueryBuilder {
  return isPostgres(db) ? db.from(table) : db.from(db.raw('?? indexed by ??', [table, index]))
}
