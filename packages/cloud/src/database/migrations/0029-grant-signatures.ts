// The public keys that the cloud has signed with, and its signature under each grant: proofs outlive a key.

import type { Knex } from 'knex'

/** The program before this one has no use for these. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table "signingKeys" add column "publicKey" varchar(43)')
  await knex.raw('alter table "openings" add column "grantSignature" varchar(86)')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table "openings" drop column "grantSignature"')
  await knex.raw('alter table "signingKeys" drop column "publicKey"')
}
