// What integrators keep with gates and members, indexes to find members by e-mail and gate, and keys that are limited to some gates.

import type { Knex } from 'knex'

/**
 * The previous program does not show the columns. A limited key has its scopes in the new column, so until that program is replaced
 * it finds none in `scopes`, and refuses the key.
 */
export const readableFrom = '0020-replicas'

const tables = ['gates', 'members'] as const

export async function up(knex: Knex): Promise<void> {
  for (const name of tables) {
    await knex.schema.alterTable(name, table => {
      table.string('externalId', 128)
      // JSON; null where there is none.
      table.text('metadata')
    })
    // One index both finds an id and keeps it unique: an inactive one stands apart by its own id.
    await knex.raw(
      `create unique index "${name}_external_id" on "${name}" ("spaceId", "externalId", (case when "isActive" then '' else "id" end)) where "externalId" is not null`,
    )
  }
  await knex.raw(
    `create index "members_of_email" on "members" ("spaceId", (lower("email"))) where "email" is not null`,
  )
  await knex.raw(`create index "accesses_of_gate" on "accesses" ("spaceId", "gateId", "memberId")`)
  await knex.schema.alterTable('apiKeys', table => {
    // JSON: the gates that the key is limited to, and its scopes; null where it has all gates.
    table.text('limited')
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('apiKeys', table => table.dropColumn('limited'))
  await knex.raw('drop index "accesses_of_gate"')
  await knex.raw('drop index "members_of_email"')
  for (const name of tables) {
    await knex.raw(`drop index "${name}_external_id"`)
    await knex.schema.alterTable(name, table => table.dropColumns('externalId', 'metadata'))
  }
}
