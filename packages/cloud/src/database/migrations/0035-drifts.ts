// Since when the calls of a gate have not fitted its measured profile, with an index of those gates alone: alerts check them in
// every round.

import type { Knex } from 'knex'

/** The previous program does not change the column: an alert waits until the other clouds are replaced. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table "gates" add column "driftedAt" varchar(24)')
  await knex.raw('create index "gates_drifted" on "gates" ("id") where "driftedAt" is not null')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index "gates_drifted"')
  await knex.raw('alter table "gates" drop column "driftedAt"')
}
