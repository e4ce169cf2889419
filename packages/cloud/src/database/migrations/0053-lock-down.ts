// The lock-down of a Space, and the class of an opening that it has denied.

import type { Knex } from 'knex'
import { isPostgres } from '../dialect.ts'

/** The previous program does not know the lock-down: until each cloud is replaced, presses at an older one are granted. */
export const readableFrom = '0020-replicas'

const deniedBefore = `'gate_inactive', 'outside_schedule', 'access_ended', 'usage_exhausted', 'access_inactive',
    'access_revoked', 'permission_lost'`

// The same rule as `openingClassOf`; a test compares them.
const classWith = (denied: string) => `case
  when "status" in ('initiated', 'connected') then 'running'
  when "opened" in ('yes', 'likely') then case when "confidence" = 'assumed' then 'probably_opened' else 'opened' end
  when "opened" is not 'no' then 'unknown'
  when "reason" in (${denied}) then 'denied'
  when "reason" in ('gateway_offline', 'modem_busy', 'modem_not_ready', 'no_network', 'not_dialled', 'interrupted',
    'number_not_allowed', 'number_changed', 'sim_error', 'line_in_use', 'number_in_use') then 'not_called'
  else 'did_not_open' end`

const onPostgres = {
  openings_by_class: '"class", "calledAt", "id"',
  openings_of_gate_by_class: '"gateId", "class", "calledAt", "id"',
}
const onSqlite = {
  openings_by_end: '"class", "status", "calledAt", "id"',
  openings_of_gate_by_end: '"gateId", "class", "status", "calledAt", "id"',
}

async function replaceClass(knex: Knex, definition: string): Promise<void> {
  const indexes = isPostgres(knex) ? onPostgres : onSqlite
  for (const name of Object.keys(indexes)) await knex.raw(`drop index "${name}"`)
  await knex.raw('alter table "openings" drop column "class"')
  const generated = isPostgres(knex)
    ? `(${definition.replace('is not', 'is distinct from')}) stored`
    : `(${definition}) virtual`
  await knex.raw(`alter table "openings" add column "class" text generated always as ${generated}`)
  for (const [name, columns] of Object.entries(indexes))
    await knex.raw(
      `create index "${name}" on "openings" ("spaceId", ${columns}) where "completedAt" is not null`,
    )
}

export async function up(knex: Knex): Promise<void> {
  // Not by knex, which would copy a table of SQLite.
  await knex.raw('alter table "spaces" add column "lockDownAt" varchar(24)')
  // Null for the operator.
  await knex.raw('alter table "spaces" add column "lockDownUserId" varchar(255)')
  await replaceClass(knex, classWith(`${deniedBefore}, 'locked_down'`))
}

export async function down(knex: Knex): Promise<void> {
  await replaceClass(knex, classWith(deniedBefore))
  for (const column of ['lockDownAt', 'lockDownUserId'])
    await knex.raw(`alter table "spaces" drop column "${column}"`)
}
