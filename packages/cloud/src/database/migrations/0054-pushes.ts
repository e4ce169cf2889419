// Web push: the devices of users, the keys of the installation, and how far each Space's events were looked through.

import type { Knex } from 'knex'

/** The previous program does not know the tables: until it is replaced, it sends no pushes. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('pushDevices', table => {
    // The hash of the endpoint, so that a browser has one row.
    table.string('id').primary()
    table.string('userId').notNullable().references('users.id')
    table.string('browser').notNullable()
    // The endpoint with the keys of the browser, in JSON.
    table.text('subscriptionSealed').notNullable()
    table.boolean('alerts').notNullable()
    table.boolean('openings').notNullable()
    table.string('createdAt', 24).notNullable()
    table.index(['userId', 'createdAt', 'id'])
  })
  // One row: subscriptions are made for these keys and no others.
  await knex.schema.createTable('pushKeys', table => {
    table.string('id').primary()
    table.string('publicKey').notNullable()
    table.text('privateSealed').notNullable()
    table.string('createdAt', 24).notNullable()
  })
  await knex.schema.createTable('pushCursors', table => {
    table.string('spaceId').primary().references('spaces.id')
    table.bigInteger('seq').notNullable()
  })
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['pushCursors', 'pushKeys', 'pushDevices']) await knex.schema.dropTable(table)
}
