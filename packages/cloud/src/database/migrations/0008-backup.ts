// Restores from a backup, and gateways' reports about openings after it.

import type { Knex } from 'knex'
import { appendOnly } from './appendOnly.ts'

export async function up(knex: Knex): Promise<void> {
  const time = (table: Knex.CreateTableBuilder, name: string) => table.string(name, 24)
  // Only the last restore counts.
  await knex.schema.createTable('restores', table => {
    table.increments('id')
    // When the backup was made, when it was restored, and when the operator allowed presses again.
    time(table, 'takenAt').notNullable()
    time(table, 'restoredAt').notNullable()
    time(table, 'confirmedAt')
    // Whether a grant from after the backup may still call a number.
    table.boolean('holdsNumbers').notNullable()
  })
  // Kept as they were signed. Their openings are not in the data, or were not granted when the backup was made.
  await knex.schema.createTable('strayReports', table => {
    table.string('openingId').notNullable()
    table.string('gatewayId').notNullable().references('gateways.id')
    table.string('bootId', 22).notNullable()
    table.bigInteger('seq').notNullable()
    table.text('body').notNullable()
    table.text('signature').notNullable()
    time(table, 'receivedAt').notNullable()
    table.primary(['gatewayId', 'bootId', 'seq'])
  })
  await appendOnly(knex, 'strayReports')
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['strayReports', 'restores']) await knex.schema.dropTable(table)
}
