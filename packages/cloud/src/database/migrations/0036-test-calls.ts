// Which openings were granted as test calls, even after their calibration is gone.

import type { Knex } from 'knex'

/** The oldest schema whose program can work with these tables: until it is replaced, that program does not mark test calls. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  // Null: not a test call, or granted before this migration.
  await knex.raw('alter table "openings" add column "isTestCall" boolean')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table "openings" drop column "isTestCall"')
}
