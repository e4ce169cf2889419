// Indexes the waiting mails by Space, to find the next Space in turn without reading the mails of another.

import type { Knex } from 'knex'

/** The previous program asks for the oldest mail of all: until it is replaced, it reads more rows to find it. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index "outbox_due"')
  await knex.raw(
    `create index "outbox_turns" on "outbox" ("spaceId", "nextAttemptAt", "id") where "sentAt" is null and "givenUpAt" is null`,
  )
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index "outbox_turns"')
  await knex.raw(
    `create index "outbox_due" on "outbox" ("nextAttemptAt") where "sentAt" is null and "givenUpAt" is null`,
  )
}
