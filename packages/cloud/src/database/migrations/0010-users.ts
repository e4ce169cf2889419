// Users of the dashboard: their roles in Spaces and their sessions; openings and kept answers of a user in place of a key.

import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  const time = (table: Knex.CreateTableBuilder, name: string) => table.string(name, 24)
  await knex.schema.createTable('users', table => {
    table.string('id').primary()
    // In lower case.
    table.string('email').notNullable().unique()
    table.string('name').notNullable()
    table.string('language', 8).notNullable()
    // argon2id in the PHC form, with its parameters and salt. Null until the user has set a password.
    table.string('passwordHash')
    time(table, 'createdAt').notNullable()
    time(table, 'deactivatedAt')
  })
  await knex.schema.createTable('userRoles', table => {
    table.string('userId').notNullable().references('users.id')
    table.string('spaceId').notNullable().references('spaces.id')
    table.string('role').notNullable()
    // The member who is the same person, as an owner has declared.
    table.string('memberId')
    time(table, 'createdAt').notNullable()
    table.primary(['userId', 'spaceId'])
    table.foreign(['spaceId', 'memberId']).references(['spaceId', 'id']).inTable('members')
    table.unique(['spaceId', 'memberId'])
    table.index(['spaceId', 'createdAt', 'userId'])
  })
  // A session that has ended has no row.
  await knex.schema.createTable('sessions', table => {
    table.string('id').primary()
    table.string('userId').notNullable().references('users.id')
    table.string('tokenHash', 64).notNullable().unique()
    // The browser's own name, in a few words.
    table.string('browser').notNullable()
    time(table, 'createdAt').notNullable()
    time(table, 'lastSeenAt').notNullable()
    time(table, 'expiresAt').notNullable()
    table.index(['userId', 'createdAt'])
    table.index(['expiresAt'])
  })
  // The user who pressed, and the session. They are no foreign keys, because sessions end while their openings stay.
  await knex.schema.alterTable('openings', table => {
    table.string('userId')
    table.string('sessionId')
  })
  // The same table with a principal, who may be a user, in place of the API key.
  await knex.schema.createTable('keptAnswers', table => {
    table.string('askerId').notNullable()
    table.string('requestHash', 64).notNullable()
    table.string('bodyHash', 64).notNullable()
    table.string('openingId')
    table.text('sealedAnswer')
    time(table, 'createdAt').notNullable()
    table.primary(['askerId', 'requestHash'])
    table.index(['createdAt'])
  })
  const columns = ['requestHash', 'bodyHash', 'openingId', 'sealedAnswer', 'createdAt']
  await knex('keptAnswers').insert(knex('idempotentAnswers').select('apiKeyId as askerId', ...columns))
  await knex.schema.dropTable('idempotentAnswers')
}

export async function down(knex: Knex): Promise<void> {
  const time = (table: Knex.CreateTableBuilder, name: string) => table.string(name, 24)
  await knex.schema.createTable('idempotentAnswers', table => {
    table.string('apiKeyId').notNullable().references('apiKeys.id')
    table.string('requestHash', 64).notNullable()
    table.string('bodyHash', 64).notNullable()
    table.string('openingId')
    table.text('sealedAnswer')
    time(table, 'createdAt').notNullable()
    table.primary(['apiKeyId', 'requestHash'])
    table.index(['createdAt'])
  })
  for (const table of ['keptAnswers', 'sessions', 'userRoles', 'users']) await knex.schema.dropTable(table)
  await knex.schema.alterTable('openings', table => table.dropColumns('userId', 'sessionId'))
}
