// The calibration of a gate that goes on, and by what its profile was measured.

import type { Knex } from 'knex'

/** The oldest schema whose program can work with these tables: until it is replaced, its grants make no test calls. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  // JSON, in the row that each press and each claim reads. Null: there is none.
  await knex.raw('alter table "gates" add column "calibration" text')
  await knex.raw('alter table "gates" add column "learnedFrom" text')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table "gates" drop column "learnedFrom"')
  await knex.raw('alter table "gates" drop column "calibration"')
}
