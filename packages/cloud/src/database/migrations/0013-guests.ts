// What guests leave behind: which phone first used a link, and what was seen of a gate after a call.

import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  const time = (table: Knex.CreateTableBuilder, name: string) => table.string(name, 24).notNullable()
  // A browser is known by the hash of a random cookie, which says nothing about it.
  await knex.schema.createTable('linkUses', table => {
    table.string('spaceId').notNullable()
    table.string('memberId').notNullable()
    table.string('visitorHash', 64).notNullable()
    time(table, 'firstUsedAt')
    table.primary(['memberId', 'visitorHash'])
    table.foreign(['spaceId', 'memberId']).references(['spaceId', 'id']).inTable('members')
  })
  // What a person saw changes no opening: it is no evidence of the call.
  await knex.schema.createTable('openingObservations', table => {
    table.string('spaceId').notNullable().references('spaces.id')
    table.string('openingId').notNullable().references('openings.id')
    // As in openings: guest or owner.
    table.string('actorType').notNullable()
    // moving: it is open, or moves. still: it stands still.
    table.string('seen').notNullable()
    time(table, 'seenAt')
    table.primary(['openingId', 'actorType'])
  })
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['openingObservations', 'linkUses']) await knex.schema.dropTable(table)
}
