// Webhooks: addresses to which events are sent, and the deliveries that wait or were made in the last days.

import type { Knex } from 'knex'

/**
 * The previous program does not know the tables: until it is replaced, what it changes is not sent. A receiver finds it by
 * `GET /events`.
 */
export const readableFrom = '0020-replicas'

const larger = ['pro', 'business', 'trial']

export async function up(knex: Knex): Promise<void> {
  // Whether a webhook of the Space is active: it comes back with the count of events, so that other Spaces pay nothing.
  await knex.schema.alterTable('eventCounters', table => {
    table.boolean('hasWebhooks').notNullable().defaultTo(false)
  })
  await knex.schema.createTable('webhooks', table => {
    table.string('id').primary()
    table.string('spaceId').notNullable().references('spaces.id')
    table.string('url', 500).notNullable()
    table.string('description')
    // A list in JSON; null: every type.
    table.text('types')
    table.text('secretSealed').notNullable()
    table.text('previousSealed')
    table.string('previousEndsAt', 24)
    table.string('stoppedAt', 24)
    table.string('stoppedWhy')
    // Failed attempts in a row, and whether one has ever reached the address.
    table.integer('failures').notNullable().defaultTo(0)
    table.string('failingSince', 24)
    table.boolean('isReached').notNullable().defaultTo(false)
    table.string('createdAt', 24).notNullable()
    table.index(['spaceId', 'createdAt', 'id'])
  })
  await knex.schema.createTable('webhookDeliveries', table => {
    table.string('webhookId').notNullable()
    // The number of the event, which is kept as long as this row.
    table.bigInteger('seq').notNullable()
    table.string('spaceId').notNullable().references('spaces.id')
    table.string('kind').notNullable()
    table.string('createdAt', 24).notNullable()
    // Null: it was delivered, or given up.
    table.string('nextAttemptAt', 24)
    table.string('deliveredAt', 24)
    // The bytes that are sent, from the first attempt on.
    table.text('body')
    // How many attempts were made, and what came of the last ones: a list in JSON.
    table.integer('attempts').notNullable().defaultTo(0)
    table.text('attemptLog').notNullable().defaultTo('[]')
    table.primary(['webhookId', 'seq'])
    table.index(['spaceId', 'seq'])
  })
  await knex.raw(
    `create index "webhookDeliveries_due" on "webhookDeliveries" ("webhookId", "nextAttemptAt", "seq")
     where "nextAttemptAt" is not null`,
  )
  // The default is the limit of the smallest plan.
  await knex.schema.alterTable('plans', table => {
    table.integer('webhookLimit').notNullable().defaultTo(2)
  })
  await knex('plans').whereIn('name', larger).update({ webhookLimit: 10 })
  await knex.schema.alterTable('spaceLimits', table => {
    table.integer('webhookLimit')
  })
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['plans', 'spaceLimits'])
    await knex.schema.alterTable(table, altered => altered.dropColumn('webhookLimit'))
  for (const table of ['webhookDeliveries', 'webhooks']) await knex.schema.dropTable(table)
  await knex.schema.alterTable('eventCounters', table => table.dropColumn('hasWebhooks'))
}
