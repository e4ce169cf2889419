// Migrates the tables to the newest version.

import { type Database, databaseTrouble } from './database.ts'
import { advice } from './databaseCodes.ts'
import { DatabaseError } from './databaseError.ts'
import { isPostgres } from './dialect.ts'
import { type Migrations, migrations } from './migrations/list.ts'
import { runMigrations } from './migrations/run.ts'
import { type SchemaState, schemaState } from './migrations/schemaState.ts'
import { finishMove } from './moveMarks.ts'

const quiet = () => {}

/** How often the lock for a migration is tried. Postgres waits for it for 5 s each time, so ten minutes. */
const migrationAttempts = 120

/**
 * Migrates the tables to the newest version and returns the names of the migrations that ran. All run in one transaction: a
 * killed process leaves neither a half-done migration nor a lock. Of two processes at once one migrates; on Postgres the other
 * calls `onWait`, waits, and finds nothing to do. Does nothing to tables of a newer version which declares that this one can work
 * with them. Refuses data that was moved, or into which a move is not finished. `known` are the migrations of this version.
 */
export async function migrate(
  database: Database,
  onWait = quiet,
  known = migrations,
): Promise<readonly string[]> {
  if ((await schemaState(database.knex, known)) === 'newer') await finishMove(database)
  for (let attempt = 1; ; attempt++) {
    // Usually there is nothing to do, and no lock is taken.
    const ran = isOlder(await schemaState(database.knex, known))
      ? await tryMigrations(database, known, attempt)
      : []
    if (ran) return ran
    if (attempt === 1) onWait()
  }
}

// Tables of a newer version stay as they are: during a deploy two versions serve together, and the older one may start again.
function isOlder(state: SchemaState): boolean {
  if (state === 'newer') throw new DatabaseError('too_new', advice.too_new('in DATABASE_URL'))
  return state === 'older'
}

/** Undefined where another process holds the lock, perhaps for a migration. */
async function tryMigrations(
  database: Database,
  known: Migrations,
  attempt: number,
): Promise<readonly string[] | undefined> {
  try {
    return await database.write(async tx => {
      // Another process may have migrated while this one waited for the lock.
      return isOlder(await schemaState(tx, known)) ? runMigrations(tx, known) : []
    })
  } catch (error) {
    const isOver = attempt >= migrationAttempts || !isPostgres(database.knex)
    if (isOver || databaseTrouble(error) !== 'busy') throw error
    return undefined
  }
}

/** Takes the write lock and changes no row; throws where the database cannot be written. */
export async function tryWrite(database: Database): Promise<void> {
  await database.write(tx => tx('migrations').whereRaw('1 = 0').update({ name: '' }), { spaceId: null })
}
