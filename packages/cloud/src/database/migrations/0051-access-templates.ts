// Templates of accesses: the list of each Space, saved as a whole.

import type { Knex } from 'knex'

/** The previous program does not know the table, and changes nothing that it says. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('accessTemplates', table => {
    table.string('spaceId').primary().references('spaces.id')
    // A list in JSON.
    table.text('templates').notNullable()
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('accessTemplates')
}
