// Several clouds on one database: which ones serve, which one owns each opening, and which programs can work with the tables.

import type { Knex } from 'knex'

/** The oldest schema whose program can work with these tables. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('schemas', table => {
    table.string('readableFrom').primary()
  })
  await knex.schema.createTable('replicas', table => {
    table.string('id').primary()
    table.integer('epoch').notNullable()
    table.string('schema').notNullable()
    table.string('leaseUntil', 24).notNullable()
    table.boolean('isListening').notNullable()
    table.boolean('isDraining').notNullable()
  })
  // Null: of a cloud without replicas.
  await knex.raw('alter table "openings" add column "owner" varchar(255)')
  await knex.raw('alter table "openings" add column "ownerEpoch" bigint')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table "openings" drop column "owner"')
  await knex.raw('alter table "openings" drop column "ownerEpoch"')
  await knex.schema.dropTable('replicas')
  await knex.schema.dropTable('schemas')
}
