// Which openings were granted as test calls of a calibration, whatever becomes of that.

import type { Knex } from 'knex'

/** The oldest schema whose program can work with these tables: until it is replaced, its test calls are not marked. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  // Null: it was not, or was granted before.
  await knex.raw('alter table "openings" add column "isTestCall" boolean')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table "openings" drop column "isTestCall"')
}
