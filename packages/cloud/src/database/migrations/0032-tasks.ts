// Tasks: what the cloud asks a gateway to do outside an opening.

import type { Knex } from 'knex'

/** The program before this one has no use for this table. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('tasks', table => {
    table.string('id').primary()
    table.string('spaceId').notNullable().references('spaces.id')
    table.string('gatewayId').notNullable().references('gateways.id')
    table.string('kind').notNullable()
    // JSON: what is asked.
    table.text('details').notNullable()
    table.string('createdAt', 24).notNullable()
    table.string('expiresAt', 24).notNullable()
    // The start of the daemon that was asked, and no other one.
    table.string('bootId', 22)
    table.string('endedAt', 24)
    // `done` or `not_done`.
    table.string('endedAs')
    table.string('reason')
    // JSON: what the gateway has told.
    table.text('told')
    table.index(['spaceId', 'gatewayId', 'createdAt', 'id'])
  })
  await knex.raw('create unique index "tasks_open" on "tasks" ("gatewayId") where "endedAt" is null')
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('tasks')
}
