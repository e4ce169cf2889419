// An index of the calls of each number that may have moved its gate: the last of them is read after a restart.

import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `create index "openings_called" on "openings" ("spaceId", "phoneNumber", "completedAt")
     where "grantedAt" is not null and "joinedOpeningId" is null and "opened" <> 'no'`,
  )
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index "openings_called"')
}
