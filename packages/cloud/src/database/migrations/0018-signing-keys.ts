// Since when the cloud has signed with which key: a later key cannot verify the grants of an earlier one.

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
