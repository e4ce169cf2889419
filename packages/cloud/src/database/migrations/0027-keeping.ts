// How long each Space keeps who opened and who changed what, and how far the removal of what is older has come.

import type { Knex } from 'knex'

/** The program before this one keeps identities, and has no use for these. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  // A Space without a row has the usual time, and was never looked at.
  await knex.schema.createTable('identityKeeping', table => {
    table.string('spaceId').primary().references('spaces.id')
    // As ISO 8601 has durations: P12M.
    table.string('keeping').notNullable()
    // What lies up to here in the order of time has no identities any more.
    table.string('openingsAt', 24)
    table.string('openingsId')
    table.string('activityAt', 24)
    table.string('activityId')
    // When everything that was due had been removed.
    table.string('sweptAt', 24)
  })
  // Uses by openings that no longer say whose they were; the others are counted in the openings.
  await knex.raw('alter table "accesses" add column "usesNotKept" integer not null default 0')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table "accesses" drop column "usesNotKept"')
  await knex.schema.dropTable('identityKeeping')
}
