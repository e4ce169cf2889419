// Opens the data for the doctor's checks, and says what it finds where the tables are not those of this version.

import type { World } from '@callgate/world/world'
import type { Config } from '../config.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { isServer } from '../database/databaseAddress.ts'
import type { DatabaseError } from '../database/databaseError.ts'
import { schemaState } from '../database/migrations/schemaState.ts'
import { moveStateOf, refusalOf } from '../database/moveMarks.ts'
import { openData } from '../database/openData.ts'
import { type Found, unknown, warning, wrong } from './check.ts'

/** Opens the data to be read only. */
export async function openFor({ databaseUrl: url }: Config): Promise<Database> {
  if (!isServer(url)) return openDatabase({ url, onlyReads: true, mustExist: true })
  const { openPostgres } = await import('../database/postgres.ts')
  return openPostgres({ url })
}

/** The finding of a trouble: its message ends with the advice. */
export function foundOf({ message }: DatabaseError): Found {
  const [, says = message, todo = 'Mend that, and look again.'] = /^(.+?)\. (.+)$/s.exec(message) ?? []
  return wrong(says, todo)
}

export const noTables = warning(
  'The tables are of an older version of Callgate, or there are none yet',
  '"callgate migrate" or the next "callgate serve" brings them up to date.',
)

/** What is wrong with the tables; undefined where this version can read them. */
export async function tablesFound({ knex }: Database): Promise<Found | undefined> {
  const state = await schemaState(knex)
  if (state === 'older') return noTables
  if (state !== 'newer') return undefined
  const moved = await moveStateOf(knex)
  return moved
    ? foundOf(refusalOf(moved))
    : wrong('The tables are of a newer version of Callgate', 'Run that version, or restore a backup.')
}

/** How long a check waits for the lock of another program, milliseconds. */
const lockedWithinMs = 2_000

/**
 * Looks into the data, where that is possible. Otherwise it is unknown `what`, and why: the check of the database judges that.
 */
export async function inData(
  { config, what, world }: { readonly config: Config; readonly what: string; readonly world: World },
  look: (database: Database) => Promise<Found>,
): Promise<Found> {
  const patience = { world, withinMs: lockedWithinMs }
  const asked = { url: config.databaseUrl, world, patience, onlyReads: true, mustExist: true } as const
  const database = await openData(asked).catch(() => undefined)
  if (!database) return unknown(`The database cannot be read, so nobody knows ${what}`)
  try {
    const tables = await tablesFound(database)
    return tables ? unknown(`${tables.says}, so nobody knows ${what}`, tables.advice) : await look(database)
  } finally {
    await database.close()
  }
}
