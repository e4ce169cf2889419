// How many gateways, API keys and users a Space may have: by its plan, or by limits of its own.

import type { Knex } from 'knex'

/** The previous program does not change the columns: until it is replaced, it enforces no limit on gateways, keys and users. */
export const readableFrom = '0020-replicas'

const larger = ['pro', 'business', 'trial']
const columns = { gatewayLimit: 5, keyLimit: 20, userLimit: 20 } as const
const ofLarger = { gatewayLimit: 100, keyLimit: 200, userLimit: 200 } as const

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('plans', table => {
    // The default is the limit of the smallest plan.
    for (const [name, limit] of Object.entries(columns)) table.integer(name).notNullable().defaultTo(limit)
  })
  await knex('plans').whereIn('name', larger).update(ofLarger)
  await knex.schema.alterTable('spaceLimits', table => {
    for (const name of Object.keys(columns)) table.integer(name)
  })
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['plans', 'spaceLimits'])
    await knex.schema.alterTable(table, altered => altered.dropColumns(...Object.keys(columns)))
}
