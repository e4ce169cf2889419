// Which Space has called a number last, for Spaces that have gates with the same number; and the class of an opening whose
// number was in use.

import type { Knex } from 'knex'
import { isPostgres } from '../dialect.ts'

/** The previous program grants without these locks. Until it is replaced, two Spaces may call one number at once. */
export const readableFrom = '0020-replicas'

const reasonsBefore = `'gateway_offline', 'modem_busy', 'modem_not_ready', 'no_network', 'not_dialled', 'interrupted',
  'number_not_allowed', 'number_changed', 'sim_error', 'line_in_use'`

// The same rule as `openingClassOf`; a test compares them.
const classWith = (uncalled: string) => `case
  when "status" in ('initiated', 'connected') then 'running'
  when "opened" in ('yes', 'likely') then case when "confidence" = 'assumed' then 'probably_opened' else 'opened' end
  when "opened" is not 'no' then 'unknown'
  when "reason" in ('gate_inactive', 'outside_schedule', 'access_ended', 'usage_exhausted', 'access_inactive',
    'access_revoked', 'permission_lost') then 'denied'
  when "reason" in (${uncalled}) then 'not_called'
  else 'did_not_open' end`

const classIndexes = {
  openings_by_class: '("spaceId", "class", "calledAt", "id")',
  openings_of_gate_by_class: '("spaceId", "gateId", "class", "calledAt", "id")',
}

async function replaceClass(knex: Knex, definition: string): Promise<void> {
  for (const name of Object.keys(classIndexes)) await knex.raw(`drop index "${name}"`)
  await knex.raw('alter table "openings" drop column "class"')
  const generated = isPostgres(knex)
    ? `(${definition.replace('is not', 'is distinct from')}) stored`
    : `(${definition}) virtual`
  await knex.raw(`alter table "openings" add column "class" text generated always as ${generated}`)
  for (const [name, columns] of Object.entries(classIndexes))
    await knex.raw(`create index "${name}" on "openings" ${columns} where "completedAt" is not null`)
}

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('numberLocks', table => {
    table.string('phoneNumber', 16).primary()
    // The last granted opening, and its Space.
    table.string('openingId').notNullable()
    table.string('heldBy').notNullable()
    table.string('heldSince', 24).notNullable().index()
    // Whether that opening calls the former number of its gate.
    table.boolean('isMoved').notNullable()
    // Whether a press of another Space was refused because of it.
    table.boolean('hasRefused').notNullable()
    // JSON: since when each Space has been refused, and how often each one has made others wait in this hour.
    table.text('waits').notNullable()
    table.text('refusals').notNullable()
  })
  await replaceClass(knex, classWith(`${reasonsBefore}, 'number_in_use'`))
}

export async function down(knex: Knex): Promise<void> {
  await replaceClass(knex, classWith(reasonsBefore))
  await knex.schema.dropTable('numberLocks')
}
