// The contact whom guests of a Space may call when something fails, and an index that finds the mails sent long ago.

import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('spaces', table => {
    table.string('contactName')
    table.string('contactPhone')
  })
  await knex.raw(`create index "outbox_sent" on "outbox" ("sentAt") where "sentAt" is not null`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index "outbox_sent"')
  await knex.schema.alterTable('spaces', table => table.dropColumns('contactName', 'contactPhone'))
}
