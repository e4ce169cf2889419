// On SQLite, two indexes of ended openings in place of four, by class and status together: so an opening writes fewer pages.
// Postgres does not merge such rows in their order, so it keeps the four.

import type { Knex } from 'knex'
import { isPostgres } from '../dialect.ts'

/**
 * On Postgres nothing changes. On SQLite the previous program names the former indexes; `databases.md` has the statements that
 * make them again.
 */
export const readableFrom = '0020-replicas'

const former = {
  openings_by_status: '"status", "calledAt", "id"',
  openings_of_gate_by_status: '"gateId", "status", "calledAt", "id"',
  openings_by_class: '"class", "calledAt", "id"',
  openings_of_gate_by_class: '"gateId", "class", "calledAt", "id"',
}

const byEnd = {
  openings_by_end: '"class", "status", "calledAt", "id"',
  openings_of_gate_by_end: '"gateId", "class", "status", "calledAt", "id"',
}

async function replaceIndexes(
  knex: Knex,
  old: Readonly<Record<string, string>>,
  next: Readonly<Record<string, string>>,
): Promise<void> {
  if (isPostgres(knex)) return
  for (const name of Object.keys(old)) await knex.raw(`drop index "${name}"`)
  for (const [name, columns] of Object.entries(next))
    await knex.raw(
      `create index "${name}" on "openings" ("spaceId", ${columns}) where "completedAt" is not null`,
    )
}

export async function up(knex: Knex): Promise<void> {
  await replaceIndexes(knex, former, byEnd)
}

export async function down(knex: Knex): Promise<void> {
  await replaceIndexes(knex, byEnd, former)
}
