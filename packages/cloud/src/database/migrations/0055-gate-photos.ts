// The photos of gates, in a table of their own: a press reads the row of a gate, and never its photo.

import type { Knex } from 'knex'

/** The previous program does not know the table, and changes nothing that it says. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('gatePhotos', table => {
    table.string('gateId').primary().references('gates.id')
    table.string('spaceId').notNullable().references('spaces.id')
    table.string('hash', 22).notNullable()
    table.string('setAt', 24).notNullable()
    // In base64: a move writes rows as JSON. It comes last, so that SQLite reads the others without its pages.
    table.text('jpeg').notNullable()
    table.index(['spaceId'])
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('gatePhotos')
}
