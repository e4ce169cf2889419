// Writes SQL that differs between the two databases.

import type { Knex } from 'knex'
import type { Db } from './database.ts'

export function isPostgres(db: Db): boolean {
  return db.client.dialect === 'postgresql'
}

/**
 * Locks rows: until this transaction ends, no other one changes them or reads them by this function. On SQLite no other
 * transaction runs.
 */
export function locked(db: Db, rows: Knex.QueryBuilder): Knex.QueryBuilder {
  return isPostgres(db) ? rows.forUpdate() : rows
}

/**
 * Rows to delete that no other transaction is deleting at this moment: writes of several Spaces may clean up one table at once,
 * and must not deadlock. On SQLite no other transaction runs.
 */
export function unlocked(db: Db, rows: Knex.QueryBuilder): Knex.QueryBuilder {
  return isPostgres(db) ? rows.forUpdate().skipLocked() : rows
}
