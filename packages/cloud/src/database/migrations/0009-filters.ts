// The filters of openings and activity: indexes in the order of the answers, and the things that each entry is about.

import type { Knex } from 'knex'
import { appendOnly } from './appendOnly.ts'

/** The last two columns have the order of the answers, so that a page is read without sorting. */
const openingIndexes = {
  openings_of_gate: ['spaceId', 'gateId', 'calledAt', 'id'],
  openings_of_member: ['spaceId', 'memberId', 'calledAt', 'id'],
  openings_by_status: ['spaceId', 'status', 'calledAt', 'id'],
  // Without this index, the few failures of a busy gate would be searched among all its openings.
  openings_of_gate_by_status: ['spaceId', 'gateId', 'status', 'calledAt', 'id'],
}

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('openings', table => {
    for (const [name, columns] of Object.entries(openingIndexes)) table.index(columns, name)
  })
  // One row for each gate and each other thing that an entry is about. Earlier entries have no rows, because they have no ids.
  await knex.schema.createTable('activityConcerns', table => {
    table.string('spaceId').notNullable().references('spaces.id')
    table.string('concernedId').notNullable()
    table.string('timestamp', 24).notNullable()
    table.string('activityId').notNullable().references('activity.id')
    table.primary(['spaceId', 'concernedId', 'timestamp', 'activityId'])
  })
  await appendOnly(knex, 'activityConcerns')
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('activityConcerns')
  await knex.schema.alterTable('openings', table => {
    for (const [name, columns] of Object.entries(openingIndexes)) table.dropIndex(columns, name)
  })
}
