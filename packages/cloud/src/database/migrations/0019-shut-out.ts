// Indexes only the gateways that are shut out, because the broker asks for them every 2 s.

import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `create index "gateways_shut_out" on "gateways" ("id", "revokedAt", "cutOffUntil")
     where "revokedAt" is not null or "cutOffUntil" is not null`,
  )
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index "gateways_shut_out"')
}
