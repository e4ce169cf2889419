// Running the migrations that a database has not gone through yet.

import type { Knex } from 'knex'
import { migrations } from './list.ts'
import { noteReadable } from './schemaState.ts'

const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: async () => Object.keys(migrations),
  getMigrationName: name => name,
  getMigration: async name => {
    const migration = migrations[name]
    if (!migration) throw new Error(`no migration is called ${name}`)
    return migration
  },
}

/** Runs them in the transaction `tx`, which holds the lock of all writes, and answers with their names. */
export async function runMigrations(tx: Knex.Transaction): Promise<readonly string[]> {
  const [, ran]: [number, string[]] = await tx.migrate.latest({ migrationSource, tableName: 'migrations' })
  await noteReadable(tx)
  return ran
}
