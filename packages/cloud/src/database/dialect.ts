// Which of the two databases a query is for, where they need different SQL.

import type { Knex } from 'knex'
import type { Db } from './database.ts'

export function isPostgres(db: Db): boolean {
  return db.client.dialect === 'postgresql'
}

/** Rows that no other transaction changes, or reads by this, until this one ends. On SQLite no other transaction runs. */
export function locked(db: Db, rows: Knex.QueryBuilder): Knex.QueryBuilder {
  return isPostgres(db) ? rows.forUpdate() : rows
}

/**
 * Rows to delete that no other transaction deletes at this moment: writes of several Spaces may clean up one table at once,
 * and must not wait for each other in two orders. On SQLite no other transaction runs.
 */
export function unlocked(db: Db, rows: Knex.QueryBuilder): Knex.QueryBuilder {
  return isPostgres(db) ? rows.forUpdate().skipLocked() : rows
}
