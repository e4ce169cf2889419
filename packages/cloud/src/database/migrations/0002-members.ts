// Members with their accesses and links, the mails to them, kept answers, and the limits that a Space has of its own.

import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  const time = (table: Knex.CreateTableBuilder, name: string) => table.string(name, 24)
  await knex.schema.createTable('members', table => {
    table.string('id').primary()
    table.string('spaceId').notNullable().references('spaces.id')
    table.string('name').notNullable()
    table.string('email')
    table.string('phone')
    table.text('note')
    table.boolean('isAdmin').notNullable().defaultTo(false)
    table.boolean('isActive').notNullable().defaultTo(true)
    // Null until the member chooses one on the link's page.
    table.string('preferredLanguage', 8)
    time(table, 'createdAt').notNullable()
    // The link's token: its SHA-256 finds the member, the sealed one is shown again. Both are null while the link does not work.
    table.string('linkHash', 64).unique()
    table.text('linkSealed')
    table.unique(['spaceId', 'id'])
    table.index(['spaceId', 'createdAt', 'id'])
  })
  await knex.schema.createTable('accesses', table => {
    table.string('id').primary()
    table.string('spaceId').notNullable()
    table.string('memberId').notNullable()
    table.string('gateId').notNullable()
    table.text('schedules').notNullable()
    table.integer('maxUsage')
    // Granted calls that were not given back; the cap limits them.
    table.integer('usageCount').notNullable().defaultTo(0)
    table.boolean('isActive').notNullable().defaultTo(true)
    time(table, 'lastUsedAt')
    time(table, 'createdAt').notNullable()
    table.foreign(['spaceId', 'memberId']).references(['spaceId', 'id']).inTable('members')
    table.foreign(['spaceId', 'gateId']).references(['spaceId', 'id']).inTable('gates')
    table.unique(['memberId', 'gateId'])
    table.index(['spaceId', 'memberId', 'createdAt', 'id'])
  })
  // The guest who pressed. It is no foreign key, because an access may be removed while its openings stay.
  await knex.schema.alterTable('openings', table => {
    table.string('memberId')
    table.string('accessId')
  })
  // Ids only: a mail is rendered when it is sent, with the data of that time.
  await knex.schema.createTable('outbox', table => {
    table.string('id').primary()
    table.string('spaceId').notNullable()
    table.string('memberId').notNullable()
    table.string('kind').notNullable()
    table.string('gateId')
    time(table, 'createdAt').notNullable()
    table.integer('attempts').notNullable().defaultTo(0)
    time(table, 'nextAttemptAt').notNullable()
    time(table, 'sentAt')
    time(table, 'givenUpAt')
    table.text('lastError')
    table.foreign(['spaceId', 'memberId']).references(['spaceId', 'id']).inTable('members')
    table.index(['memberId'])
  })
  await knex.raw(
    `create index "outbox_due" on "outbox" ("nextAttemptAt") where "sentAt" is null and "givenUpAt" is null`,
  )
  // The answer to a request with an Idempotency-Key. It is sealed, because it may contain links.
  await knex.schema.createTable('idempotentAnswers', table => {
    table.string('apiKeyId').notNullable().references('apiKeys.id')
    // SHA-256 of the method, the path and the client's key; and of the body.
    table.string('requestHash', 64).notNullable()
    table.string('bodyHash', 64).notNullable()
    table.string('openingId')
    table.text('sealedAnswer')
    time(table, 'createdAt').notNullable()
    table.primary(['apiKeyId', 'requestHash'])
    table.index(['createdAt'])
  })
  // Null: the plan's limit.
  await knex.schema.createTable('spaceLimits', table => {
    table.string('spaceId').primary().references('spaces.id')
    table.integer('gateLimit')
    table.integer('monthlyInvitationLimit')
  })
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['spaceLimits', 'idempotentAnswers', 'outbox', 'accesses', 'members'])
    await knex.schema.dropTable(table)
  await knex.schema.alterTable('openings', table => table.dropColumns('memberId', 'accessId'))
}
