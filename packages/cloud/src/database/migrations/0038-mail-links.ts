// Finds the mails about one row: those of a user, without reading the mails of everybody.

import type { Knex } from 'knex'

/** The previous program does not use this index. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index "outbox_link" on "outbox" ("linkId") where "linkId" is not null')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index "outbox_link"')
}
