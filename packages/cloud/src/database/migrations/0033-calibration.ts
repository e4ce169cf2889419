// The running calibration of a gate, and the gateway that measured its profile.

import type { Knex } from 'knex'

/** The oldest schema whose program can work with these tables: until it is replaced, its grants are never test calls. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  // JSON, in the row that each press and each claim reads. Null: no calibration.
  await knex.raw('alter table "gates" add column "calibration" text')
  await knex.raw('alter table "gates" add column "learnedFrom" text')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table "gates" drop column "learnedFrom"')
  await knex.raw('alter table "gates" drop column "calibration"')
}
