// Erased members, and activity entries that may lose the names of persons and nothing else.

import type { Knex } from 'knex'
import { isPostgres } from '../dialect.ts'
import { appendOnly, exceptIdentities } from './appendOnly.ts'

/** The tables only widen: an older program shows an erased member as a deactivated one. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  // A row exists only inside a transaction that removes identities. Without a row, the triggers refuse every change.
  await knex.schema.createTable('identityRemovals', table => {
    table.string('spaceId').notNullable()
  })
  // The row stays without personal data, because its creation counts as an invitation. The history is erased in turns, until
  // `erasureDoneAt`.
  for (const column of ['erasedAt', 'erasureDoneAt'])
    await knex.raw(`alter table "members" add column "${column}" varchar(24)`)
  await knex.raw(
    `create index "members_being_erased" on "members" ("erasedAt", "id")
     where "erasedAt" is not null and "erasureDoneAt" is null`,
  )
  await exceptIdentities(knex, 'activity', 'update')
  await exceptIdentities(knex, 'activityConcerns', 'delete')
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['activity', 'activityConcerns']) {
    if (isPostgres(knex)) {
      await knex.raw(`drop trigger "${table}_no_change" on "${table}"`)
      await knex.raw(`drop trigger "${table}_no_truncate" on "${table}"`)
    } else for (const verb of ['update', 'delete']) await knex.raw(`drop trigger "${table}_no_${verb}"`)
    await appendOnly(knex, table)
  }
  if (isPostgres(knex)) await knex.raw('drop function "refuseAllButIdentities"()')
  await knex.raw('drop index "members_being_erased"')
  for (const column of ['erasedAt', 'erasureDoneAt'])
    await knex.raw(`alter table "members" drop column "${column}"`)
  await knex.schema.dropTable('identityRemovals')
}
