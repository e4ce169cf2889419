// How often each API key was used on each day.

import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('apiKeyUses', table => {
    table.string('apiKeyId').notNullable().references('apiKeys.id')
    // In the time zone that the Space had on that day.
    table.string('date', 10).notNullable()
    table.integer('uses').notNullable()
    table.primary(['apiKeyId', 'date'])
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('apiKeyUses')
}
