// How long each Space keeps identities (who opened, and who changed what), and up to when older ones are removed.

import type { Knex } from 'knex'

/** The previous program keeps identities, and does not use these tables. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  // A Space without a row has the usual retention, and was never checked.
  await knex.schema.createTable('identityKeeping', table => {
    table.string('spaceId').primary().references('spaces.id')
    // A duration of ISO 8601: P12M.
    table.string('keeping').notNullable()
    // Rows up to this time have no identities any more.
    table.string('openingsAt', 24)
    table.string('openingsId')
    table.string('activityAt', 24)
    table.string('activityId')
    // When everything that was due had been removed.
    table.string('sweptAt', 24)
  })
  // Uses by openings whose identity was removed; the other uses are counted from the openings.
  await knex.raw('alter table "accesses" add column "usesNotKept" integer not null default 0')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table "accesses" drop column "usesNotKept"')
  await knex.schema.dropTable('identityKeeping')
}
