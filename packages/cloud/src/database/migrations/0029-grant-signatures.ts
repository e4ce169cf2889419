// The public keys with which the cloud has signed, and its signature of each grant: a proof outlives a key.

import type { Knex } from 'knex'

/** The previous program does not use these columns. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table "signingKeys" add column "publicKey" varchar(43)')
  await knex.raw('alter table "openings" add column "grantSignature" varchar(86)')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table "openings" drop column "grantSignature"')
  await knex.raw('alter table "signingKeys" drop column "publicKey"')
}
