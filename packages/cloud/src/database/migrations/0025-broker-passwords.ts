// The sealed password of a gateway, for a broker of the operator to which the cloud adds the accounts.

import type { Knex } from 'knex'

/** The oldest schema whose program can work with these tables. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  // Null: there was no such broker when the gateway was added.
  await knex.raw('alter table "gateways" add column "passwordSealed" text')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table "gateways" drop column "passwordSealed"')
}
