// Opens data that must exist already, for commands that create and migrate nothing.

import { type Database, explained, fileOf } from './database.ts'
import { isServer, serverName } from './databaseAddress.ts'
import { advice } from './databaseCodes.ts'
import { DatabaseError } from './databaseError.ts'
import { schemaState } from './migrations/schemaState.ts'
import { finishMove } from './moveMarks.ts'
import { type DataOptions, openData } from './openData.ts'
import { postgresAdvice } from './postgresTroubles.ts'

/**
 * Opens an existing database. Rejects with a `DatabaseError` when there is none, when its tables are not those of this version,
 * and in all cases in which `openData` does.
 */
export async function openFound(options: DataOptions): Promise<Database> {
  const { url } = options
  const database = await openData({ ...options, mustExist: true })
  const refuse = (trouble: 'too_new' | 'too_old') => {
    const message = isServer(url) ? postgresAdvice[trouble](serverName(url)) : advice[trouble](fileOf(url))
    throw new DatabaseError(trouble, message)
  }
  try {
    let state = await schemaState(database.knex)
    if (state === 'newer' && (await finishMove(database))) state = await schemaState(database.knex)
    if (state === 'newer') refuse('too_new')
    if (state === 'older') refuse('too_old')
    return database
  } catch (error) {
    await database.close()
    throw explained(error, url)
  }
}
