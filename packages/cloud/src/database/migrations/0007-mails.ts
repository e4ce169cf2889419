// Who sent which mail to whom. The limits on mails count these rows.

import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('mailRecords', table => {
    // The mail's id in the outbox. Kept for 30 days, also after the mail was deleted from the outbox.
    table.string('mailId').primary()
    table.string('spaceId').notNullable()
    table.string('memberId').notNullable()
    table.string('kind').notNullable()
    // As in the activity: `api:<key name>`, `user:<e-mail>`.
    table.string('actor').notNullable()
    // The SHA-256 of the inbox, and the address in the form that the operator may see.
    table.string('inboxHash', 64).notNullable()
    table.string('recipient').notNullable()
    table.string('createdAt', 24).notNullable()
    table.index(['inboxHash', 'createdAt'])
    table.index(['spaceId', 'createdAt'])
    table.index(['createdAt'])
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('mailRecords')
}
