// Runs the migrations that a database has not had yet.

import type { Knex } from 'knex'
import { type Migrations, migrations } from './list.ts'
import { noteReadable } from './schemaState.ts'

const sourceOf = (known: Migrations): Knex.MigrationSource<string> => ({
  getMigrations: async () => Object.keys(known),
  getMigrationName: name => name,
  getMigration: async name => {
    const migration = known[name]
    if (!migration) throw new Error(`no migration is called ${name}`)
    return migration
  },
})

/** Runs those of `known` in the transaction `tx`, which holds the lock of all writes, and returns their names. */
export async function runMigrations(
  tx: Knex.Transaction,
  known: Migrations = migrations,
): Promise<readonly string[]> {
  const migrationSource = sourceOf(known)
  const [, ran]: [number, string[]] = await tx.migrate.latest({ migrationSource, tableName: 'migrations' })
  await noteReadable(tx, known)
  return ran
}
