// When a gateway last sent a beat that could not be read, and its version: its program is too old for this cloud.

import type { Knex } from 'knex'

/** The previous program does not change the columns: until it is replaced, such a gateway shows as offline. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('gateways', table => {
    table.string('tooOldAt', 24)
    // The version that the program names; null where none can be read.
    table.string('tooOldVersion', 32)
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('gateways', table => table.dropColumns('tooOldAt', 'tooOldVersion'))
}
