// Events: the changes, as ids, in an order of its own for each Space.

import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  // The number of the last event of each Space. A transaction that writes events counts here and holds this row until it commits.
  // So the numbers have no gaps and are in the order of the commits.
  await knex.schema.createTable('eventCounters', table => {
    table.string('spaceId').primary().references('spaces.id')
    table.bigInteger('lastSeq').notNullable()
  })
  // Kept for a day.
  await knex.schema.createTable('events', table => {
    table.string('spaceId').notNullable().references('spaces.id')
    table.bigInteger('seq').notNullable()
    table.string('at', 24).notNullable()
    table.string('kind').notNullable()
    table.string('targetId').notNullable()
    // The gate and the member that the event concerns beside its target.
    table.string('gateId')
    table.string('memberId')
    table.primary(['spaceId', 'seq'])
    table.index(['targetId', 'seq'])
    table.index(['at'])
  })
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['events', 'eventCounters']) await knex.schema.dropTable(table)
}
