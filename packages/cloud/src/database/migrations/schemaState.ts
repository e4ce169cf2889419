// The state of the tables: whether they are those of this version.

import type { Knex } from 'knex'
import { migrations } from './list.ts'

/** `older` where tables are missing or of an older version; `newer` where a newer version has changed them. */
export type SchemaState = 'older' | 'current' | 'newer'

/** Reads which migrations the data has gone through, and changes nothing. */
export async function schemaState(db: Knex): Promise<SchemaState> {
  const names = Object.keys(migrations)
  const isOurs = await db.schema.hasTable('migrations')
  const applied: readonly string[] = isOurs ? await db('migrations').pluck('name') : []
  if (applied.some(name => !names.includes(name))) return 'newer'
  return applied.length === names.length ? 'current' : 'older'
}
