// Invitations of users, links to set a new password, and the mails that bring them.

import type { Knex } from 'knex'

const time = (table: Knex.CreateTableBuilder, name: string) => table.string(name, 24)

/** A mail to a member names the member. A mail to a user names the row whose link it brings, and may name no Space. */
async function makeOutbox(knex: Knex, isForUsers: boolean): Promise<void> {
  await knex.schema.createTable('outbox', table => {
    table.string('id').primary()
    const owners = [table.string('spaceId'), table.string('memberId')]
    if (!isForUsers) for (const owner of owners) owner.notNullable()
    table.string('kind').notNullable()
    table.string('gateId')
    if (isForUsers) table.string('linkId')
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
  await knex.raw(`create index "outbox_sent" on "outbox" ("sentAt") where "sentAt" is not null`)
}

/** Creates the table again, because SQLite cannot change whether a column may be null. */
async function remakeOutbox(knex: Knex, isForUsers: boolean): Promise<void> {
  const rows: object[] = await knex('outbox').whereNotNull('memberId')
  await knex.schema.dropTable('outbox')
  await makeOutbox(knex, isForUsers)
  for (const { linkId: _, ...row } of rows as { linkId?: string }[]) await knex('outbox').insert(row)
}

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('userInvitations', table => {
    table.string('id').primary()
    table.string('spaceId').notNullable().references('spaces.id')
    // In lower case.
    table.string('email').notNullable()
    table.string('name').notNullable()
    table.string('role').notNullable()
    table.string('language', 8).notNullable()
    table.string('invitedBy').notNullable()
    // The SHA-256 of the link's secret finds the row; the sealed secret is for the mail.
    table.string('tokenHash', 64).notNullable().unique()
    table.text('tokenSealed').notNullable()
    time(table, 'createdAt').notNullable()
    time(table, 'expiresAt').notNullable()
    table.unique(['spaceId', 'email'])
  })
  await knex.schema.createTable('passwordResets', table => {
    table.string('id').primary()
    table.string('userId').notNullable().references('users.id')
    table.string('tokenHash', 64).notNullable().unique()
    table.text('tokenSealed').notNullable()
    time(table, 'createdAt').notNullable()
    time(table, 'expiresAt').notNullable()
    table.index(['userId'])
  })
  await remakeOutbox(knex, true)
}

export async function down(knex: Knex): Promise<void> {
  await remakeOutbox(knex, false)
  for (const table of ['passwordResets', 'userInvitations']) await knex.schema.dropTable(table)
}
