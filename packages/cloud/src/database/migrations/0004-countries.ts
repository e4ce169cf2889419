// The countries whose numbers the gates of a Space may have, where they are not the usual ones.

import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  // A JSON list of ISO 3166 codes; null: the usual ones.
  await knex.schema.alterTable('spaceLimits', table => {
    table.text('allowedCountries')
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('spaceLimits', table => table.dropColumn('allowedCountries'))
}
