// The gateways that may call a gate, and whether its module knows their numbers.

import type { Knex } from 'knex'

/** The oldest schema whose program can work with these tables: until it is replaced, that program lets every gateway call. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  // JSON, in the row that each press and each claim reads. A gateway that is not in it may call.
  await knex.raw(`alter table "gates" add column "callers" text not null default '{}'`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table "gates" drop column "callers"')
}
