// Data about guests: which phone first used a link, and what a person saw of a gate after a call.

import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  const time = (table: Knex.CreateTableBuilder, name: string) => table.string(name, 24).notNullable()
  // A browser is recognized by the hash of a random cookie, which says nothing about the browser.
  await knex.schema.createTable('linkUses', table => {
    table.string('spaceId').notNullable()
    table.string('memberId').notNullable()
    table.string('visitorHash', 64).notNullable()
    time(table, 'firstUsedAt')
    table.primary(['memberId', 'visitorHash'])
    table.foreign(['spaceId', 'memberId']).references(['spaceId', 'id']).inTable('members')
  })
  // An observation does not change the opening: it is no evidence of the call.
  await knex.schema.createTable('openingObservations', table => {
    table.string('spaceId').notNullable().references('spaces.id')
    table.string('openingId').notNullable().references('openings.id')
    // As in openings: guest or owner.
    table.string('actorType').notNullable()
    // moving: the gate is open or moves. still: it does not move.
    table.string('seen').notNullable()
    time(table, 'seenAt')
    table.primary(['openingId', 'actorType'])
  })
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['openingObservations', 'linkUses']) await knex.schema.dropTable(table)
}
