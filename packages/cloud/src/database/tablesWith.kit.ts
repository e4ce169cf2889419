// Finds a text in a whole database, for tests of what may be kept.

import { type Db, runSql } from './database.ts'
import { onPostgres } from './postgres.kit.ts'

/** Every table with a row that contains one of the texts in any column, ignoring case. */
export async function tablesWith(db: Db, texts: readonly string[]): Promise<readonly string[]> {
  const tables = onPostgres
    ? await runSql(db, `select tablename as name from pg_tables where schemaname = 'public'`, [])
    : await runSql(db, `select name from sqlite_master where type = 'table'`, [])
  const found: string[] = []
  for (const { name } of tables as readonly { name: string }[]) {
    const rows = await db(name).select()
    const written = rows
      .flatMap(row => Object.values(row as object))
      .map(value => String(value).toLowerCase())
    if (written.some(value => texts.some(text => value.includes(text.toLowerCase())))) found.push(name)
  }
  return found
}
