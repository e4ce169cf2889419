// What operators ask for and look at: the mute of alerts, and the clouds that serve now, each with its version.

import type { Knex } from 'knex'

/** The previous program does not know the tables: it tells of incidents although they are muted, and is in no list of clouds. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  // One row: the last mute.
  await knex.schema.createTable('alertMutes', table => {
    table.integer('id').primary()
    table.string('startedAt', 24).notNullable()
    table.string('endsAt', 24).notNullable()
    table.text('why').notNullable()
  })
  await knex.schema.createTable('servingClouds', table => {
    table.string('id').primary()
    table.string('machine').notNullable()
    table.string('version').notNullable()
    table.string('startedAt', 24).notNullable()
    // Written again three times a minute.
    table.string('seenAt', 24).notNullable()
    table.boolean('isConnected').notNullable()
  })
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['servingClouds', 'alertMutes']) await knex.schema.dropTable(table)
}
