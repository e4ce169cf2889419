// Which of the two databases a query is for, where they need different SQL.

import type { Db } from './database.ts'

export function isPostgres(db: Db): boolean {
  return db.client.dialect === 'postgresql'
}
