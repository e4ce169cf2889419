// The recent uses of keys, users, guests and strangers, for a cloud of several replicas; a cloud alone keeps them in memory.

import type { Knex } from 'knex'
import { isPostgres } from '../dialect.ts'

/** The previous program does not use these tables. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('limitLogs', table => {
    table.string('name').notNullable()
    // SHA-256.
    table.string('key').notNullable()
    // Times in milliseconds since the epoch, each of 13 digits, oldest first.
    table.text('log').notNullable()
    table.integer('wasTaken').notNullable()
    table.bigInteger('keptUntilMs').notNullable()
    table.primary(['name', 'key'])
  })
  await knex.schema.createTable('spentKeys', table => {
    table.string('name').notNullable()
    // SHA-256.
    table.string('key').notNullable()
    table.bigInteger('keptUntilMs').notNullable()
    table.primary(['name', 'key'])
  })
  if (!isPostgres(knex)) return
  // It is written with each request, so it has no write-ahead log, and room in each page for the next version of a row.
  await knex.raw('alter table "limitLogs" set unlogged')
  await knex.raw('alter table "limitLogs" set (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.05)')
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('spentKeys')
  await knex.schema.dropTable('limitLogs')
}
