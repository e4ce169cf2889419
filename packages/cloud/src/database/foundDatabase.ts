// Opening data that must exist already, for commands that make and migrate nothing.

import { type Database, DatabaseError, explained, fileOf, openDatabase } from './database.ts'
import { advice } from './databaseCodes.ts'
import { schemaState } from './migrations/schemaState.ts'

/**
 * Opens an existing database. Rejects with a `DatabaseError` when there is none, when its tables are not those of this
 * version, and when `openDatabase` would.
 */
export async function openFound(options: Parameters<typeof openDatabase>[0]): Promise<Database> {
  const file = fileOf(options.url)
  const refuse = (trouble: 'too_new' | 'too_old') => {
    throw new DatabaseError(trouble, advice[trouble](file))
  }
  const database = await openDatabase({ ...options, mustExist: true })
  try {
    const state = await schemaState(database.knex)
    if (state === 'newer') refuse('too_new')
    if (state === 'older') refuse('too_old')
    return database
  } catch (error) {
    await database.close()
    throw explained(error, file)
  }
}
