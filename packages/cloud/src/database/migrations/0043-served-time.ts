// How long the database has been served, which does not depend on a wall clock, and the rows that note it beside their dates.

import type { Knex } from 'knex'

/** The previous program does not change the columns: what it writes ends by the wall clock only. */
export const readableFrom = '0020-replicas'

/** Rows that permit. An earlier row has no count, and ends by the wall clock only. */
const permitting = ['sessions', 'passwordResets', 'userInvitations', 'enrolments']

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('servedTime', table => {
    table.integer('id').primary()
    table.bigInteger('servedMs').notNullable()
  })
  await knex('servedTime').insert({ id: 1, servedMs: 0 })
  // Rows that forbid. An earlier row is kept for one more day of service.
  await knex.raw('alter table "keptAnswers" add column "servedMs" bigint not null default 0')
  await knex.raw('alter table "spentKeys" add column "keptUntilServedMs" bigint not null default 0')
  for (const table of permitting) await knex.raw(`alter table "${table}" add column "servedMs" bigint`)
}

export async function down(knex: Knex): Promise<void> {
  for (const table of [...permitting, 'keptAnswers'])
    await knex.raw(`alter table "${table}" drop column "servedMs"`)
  await knex.raw('alter table "spentKeys" drop column "keptUntilServedMs"')
  await knex.schema.dropTable('servedTime')
}
