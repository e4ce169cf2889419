// Opens the database that DATABASE_URL names, whichever product it is.

import type { World } from '@callgate/world/world'
import { type Database, openDatabase } from './database.ts'
import { isServer } from './databaseAddress.ts'
import type { LockPatience } from './foreignLock.ts'

/** How the operator's commands and the server open the data. */
export interface DataOptions {
  readonly url: string
  readonly world: World
  readonly patience: LockPatience
  readonly onlyReads?: true
  /** Rejects where there is no file, and does not create one. A database on a server must exist in any case. */
  readonly mustExist?: true
}

/** Opens the database; does not migrate. Rejects with a `DatabaseError` that says what to do. */
export async function openData({ world, ...options }: DataOptions): Promise<Database> {
  if (!isServer(options.url)) return openDatabase(options)
  const { openPostgres } = await import('./postgres.ts')
  const { patience, url } = options
  return openPostgres({ url, patience, world, serverTime: world })
}
