// Indexes only the gateways with a new MQTT password: clouds ask for them every 2 s, to end the connections of the old password.

import type { Knex } from 'knex'

/** The previous program does not use this column. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table "gateways" add column "passwordChangedAt" varchar(24)')
  await knex.raw(
    'create index "gateways_password_changed" on "gateways" ("id") where "passwordChangedAt" is not null',
  )
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index "gateways_password_changed"')
  await knex.raw('alter table "gateways" drop column "passwordChangedAt"')
}
