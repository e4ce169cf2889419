// The forms with which guests have pressed, for a cloud of several replicas; a cloud alone keeps them in memory.

import type { Knex } from 'knex'

/** The previous program does not use this table. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('pressedForms', table => {
    // SHA-256.
    table.string('nonceHash').primary()
    // The claim of the request that presses.
    table.string('claim').notNullable()
    table.string('openingId')
    table.bigInteger('leaseUntilMs').notNullable()
    table.bigInteger('keptUntilMs').notNullable()
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('pressedForms')
}
