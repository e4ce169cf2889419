// Why an update was refused or rolled back, as a word, so that a page can say it in its own language.

import type { Knex } from 'knex'

/** The previous program does not change the column: until it is replaced, its updates end without a cause. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('gatewayUpdates', table => {
    table.text('lastCause')
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('gatewayUpdates', table => {
    table.dropColumn('lastCause')
  })
}
