// When the beat of a gateway was last not understood, and which version it named: its program is too old for this cloud.

import type { Knex } from 'knex'

/** The program before this one leaves the columns alone: until it is replaced, such a gateway shows as offline. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('gateways', table => {
    table.string('tooOldAt', 24)
    // What its program calls itself; null where no version can be read.
    table.string('tooOldVersion', 32)
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('gateways', table => table.dropColumns('tooOldAt', 'tooOldVersion'))
}
