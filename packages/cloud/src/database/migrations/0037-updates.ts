// Updates of gateways: what the operator has released to whom, what owners have allowed, and how updates ended.

import type { Knex } from 'knex'

/** The previous program does not use these tables. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  // Belongs to no Space, but to the operator.
  await knex.schema.createTable('releaseStages', table => {
    table.string('version').primary()
    // JSON: the SHA-256 of the archive for each processor.
    table.text('archives').notNullable()
    table.text('notes')
    table.integer('percent').notNullable()
    // JSON: ids.
    table.text('spaces').notNullable()
    table.string('stagedAt', 24).notNullable()
    table.string('haltedAt', 24)
    // The gateway that rolled back, and its message.
    table.string('haltedBy')
    table.text('haltedWhy')
  })
  await knex.schema.createTable('updateHours', table => {
    table.string('spaceId').primary().references('spaces.id')
    // By the clock of the Space: 02:00.
    table.string('from', 5).notNullable()
    table.string('to', 5).notNullable()
  })
  await knex.schema.createTable('gatewayUpdates', table => {
    // The id of its gateway.
    table.string('id').primary().references('gateways.id')
    table.string('spaceId').notNullable().references('spaces.id')
    table.string('architecture')
    // The version that an owner has allowed.
    table.string('allowedVersion')
    table.string('allowedAt', 24)
    // The version that the gateway was last asked to install.
    table.string('askedVersion')
    table.string('askedAt', 24)
    table.string('askedTask')
    // The result of the last update, as the gateway reported it.
    table.string('lastTask')
    table.string('lastVersion')
    table.string('lastState')
    table.text('lastWhy')
    table.string('lastAt', 24)
    table.index(['spaceId'])
  })
  await knex.raw(
    'create index "gatewayUpdates_allowed" on "gatewayUpdates" ("id") where "allowedVersion" is not null',
  )
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('gatewayUpdates')
  await knex.schema.dropTable('updateHours')
  await knex.schema.dropTable('releaseStages')
}
