// SIM cards of gateways: how the balance is asked for, what the network answered, and when to warn.

import type { Knex } from 'knex'

/** The previous program does not use this table. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('sims', table => {
    // The id of its gateway.
    table.string('id').primary().references('gateways.id')
    table.string('spaceId').notNullable().references('spaces.id')
    // The code that is sent to the network by USSD.
    table.string('code')
    // In hundredths.
    table.integer('warnBelow')
    // A day.
    table.string('expiresOn', 10)
    table.string('answeredAt', 24)
    table.text('answer')
    table.index(['spaceId'])
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('sims')
}
