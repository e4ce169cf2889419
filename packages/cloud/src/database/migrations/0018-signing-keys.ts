// Since when the cloud signs with which key: what an earlier key has granted cannot be shown by a later one.

import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('signingKeys', table => {
    table.increments('id')
    table.string('createdAt', 24).notNullable()
    table.string('keyId').notNullable()
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('signingKeys')
}
