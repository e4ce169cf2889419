// Counts the wrong codes of an authenticator app in a row, for each user.

import type { Knex } from 'knex'

/** The previous program does not use this column. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table "users" add column "wrongCodes" integer not null default 0')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table "users" drop column "wrongCodes"')
}
