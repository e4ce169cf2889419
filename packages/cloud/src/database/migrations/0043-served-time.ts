// How long the database has been served, which no clock that is set can change, and the rows that note it beside their dates.

import type { Knex } from 'knex'

/** The program before this one leaves the columns alone: what it keeps then ends by the wall clock only. */
export const readableFrom = '0020-replicas'

/** What permits. A row of before has none, and ends by the wall clock only. */
const permitting = ['sessions', 'passwordResets', 'userInvitations', 'enrolments']

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('servedTime', table => {
    table.integer('id').primary()
    table.bigInteger('servedMs').notNullable()
  })
  await knex('servedTime').insert({ id: 1, servedMs: 0 })
  // What forbids. A row of before is kept for a day of service more.
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
