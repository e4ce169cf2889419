// Tasks that the cloud gives a gateway outside an opening.

import type { Knex } from 'knex'

/** The previous program does not use this table. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('tasks', table => {
    table.string('id').primary()
    table.string('spaceId').notNullable().references('spaces.id')
    table.string('gatewayId').notNullable().references('gateways.id')
    table.string('kind').notNullable()
    // JSON: the details of the task.
    table.text('details').notNullable()
    table.string('createdAt', 24).notNullable()
    table.string('expiresAt', 24).notNullable()
    // The one boot of the daemon that was asked.
    table.string('bootId', 22)
    table.string('endedAt', 24)
    // `done` or `not_done`.
    table.string('endedAs')
    table.string('reason')
    // JSON: the gateway's result.
    table.text('told')
    table.index(['spaceId', 'gatewayId', 'createdAt', 'id'])
  })
  await knex.raw('create unique index "tasks_open" on "tasks" ("gatewayId") where "endedAt" is null')
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('tasks')
}
