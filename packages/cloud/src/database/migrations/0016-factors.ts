// Second factors of users: codes of an app, recovery codes, passkeys; and confirmations.

import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  const time = (table: Knex.CreateTableBuilder, name: string) => table.string(name, 24)
  await knex.schema.alterTable('users', table => {
    // The secret of the app, sealed. It is valid from `totpEnabledAt`; before, the user is only setting it up.
    table.text('totpSealed')
    table.string('totpEnabledAt', 24)
    // The last step of 30 s whose code was used: no code works twice.
    table.integer('totpStep')
  })
  await knex.schema.alterTable('sessions', table => table.string('confirmedAt', 24))
  await knex.schema.createTable('recoveryCodes', table => {
    table.string('userId').notNullable().references('users.id')
    table.string('codeHash', 64).notNullable()
    table.primary(['userId', 'codeHash'])
  })
  await knex.schema.createTable('passkeys', table => {
    // The credential's id, as base64url.
    table.string('id', 1364).primary()
    table.string('userId').notNullable().references('users.id')
    table.string('name').notNullable()
    table.text('publicKey').notNullable()
    // How often the authenticator was used, by its own count.
    table.bigInteger('counter').notNullable()
    table.text('transports').notNullable()
    time(table, 'createdAt').notNullable()
    time(table, 'lastUsedAt')
    table.index(['userId', 'createdAt'])
  })
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['passkeys', 'recoveryCodes']) await knex.schema.dropTable(table)
  await knex.schema.alterTable('sessions', table => table.dropColumn('confirmedAt'))
  await knex.schema.alterTable('users', table => table.dropColumns('totpSealed', 'totpEnabledAt', 'totpStep'))
}
