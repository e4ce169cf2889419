// The lock-down of a Space, and the class of an opening that it has denied.

import type { Knex } from 'knex'
import { isPostgres } from '../dialect.ts'
import { classIndexes, classWith, deniedBeforeLockDown, replaceClass } from './openingClass.ts'

/** The previous program does not know the lock-down: until each cloud is replaced, presses at an older one are granted. */
export const readableFrom = '0020-replicas'

const notCalled = `'gateway_offline', 'modem_busy', 'modem_not_ready', 'no_network', 'not_dialled', 'interrupted',
    'number_not_allowed', 'number_changed', 'sim_error', 'line_in_use', 'number_in_use'`

const onSqlite = {
  openings_by_end: '"class", "status", "calledAt", "id"',
  openings_of_gate_by_end: '"gateId", "class", "status", "calledAt", "id"',
}

const replaceDenied = (knex: Knex, denied: string) =>
  replaceClass(knex, classWith({ denied, notCalled }), isPostgres(knex) ? classIndexes : onSqlite)

export async function up(knex: Knex): Promise<void> {
  // Not by knex, which would copy a table of SQLite.
  await knex.raw('alter table "spaces" add column "lockDownAt" varchar(24)')
  // Null for the operator.
  await knex.raw('alter table "spaces" add column "lockDownUserId" varchar(255)')
  await replaceDenied(knex, `${deniedBeforeLockDown}, 'locked_down'`)
}

export async function down(knex: Knex): Promise<void> {
  await replaceDenied(knex, deniedBeforeLockDown)
  for (const column of ['lockDownAt', 'lockDownUserId'])
    await knex.raw(`alter table "spaces" drop column "${column}"`)
}
