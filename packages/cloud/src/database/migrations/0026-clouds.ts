// The clouds that serve one database now, with the fingerprints of their keys, and the event streams that each has open.

import type { Knex } from 'knex'

/** The previous program does not use these tables. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('clouds', table => {
    table.string('id').primary()
    table.string('signing').notNullable()
    table.string('sealing').notNullable()
    table.bigInteger('aliveUntilMs').notNullable()
  })
  await knex.schema.createTable('openStreams', table => {
    table.string('id').primary()
    table.string('cloudId').notNullable().index()
    table.string('credential').notNullable().index()
    table.string('address').notNullable().index()
  })
  // The rows are locked while the streams of their names are counted.
  await knex.schema.createTable('streamLocks', table => {
    table.string('name').primary()
    table.integer('uses').notNullable()
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('streamLocks')
  await knex.schema.dropTable('openStreams')
  await knex.schema.dropTable('clouds')
}
