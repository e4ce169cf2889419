// Incidents: faults of a gateway, a gate or the mails of a Space, who is notified of them, and the notifications.

import type { Knex } from 'knex'

/** The oldest schema whose program can work with these tables: they only widen. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('incidents', table => {
    table.string('id').primary()
    table.string('spaceId').notNullable().references('spaces.id')
    table.string('kind').notNullable()
    // The id of a gateway, a gate, or the Space.
    table.string('targetId').notNullable()
    // When the fault was first seen. Without `openedAt` it has not lasted long enough yet.
    table.string('seenAt', 24).notNullable()
    table.string('openedAt', 24)
    // When the fault ended, while that has not lasted long enough.
    table.string('betterAt', 24)
    table.string('closedAt', 24)
    // The value that was measured when it was opened: dBm, mV, calls or mails.
    table.integer('figure')
    // When the mails about its beginning and about its end were queued.
    table.string('openTold', 24)
    table.string('closeTold', 24)
    table.index(['spaceId', 'openedAt', 'id'])
  })
  // At most one is open for each thing: two clouds cannot open the same incident twice.
  await knex.raw(
    `create unique index "incidents_going_on" on "incidents" ("targetId", "kind") where "closedAt" is null`,
  )
  await knex.raw(
    `create index "incidents_untold" on "incidents" ("spaceId")
     where "openedAt" is not null and ("openTold" is null or ("closedAt" is not null and "closeTold" is null))`,
  )
  // A row for each mail about incidents. Incidents of one notification have one `tellingId`.
  await knex.schema.createTable('alertMails', table => {
    table.string('id').primary()
    table.string('tellingId').notNullable()
    table.string('spaceId').notNullable().references('spaces.id')
    table.string('userId').notNullable().references('users.id')
    // `opened`, `closed`, or `digest` of several.
    table.string('kind').notNullable()
    // A list in JSON.
    table.text('incidentIds').notNullable()
    // Whether one of the incidents is about mails: such a mail opens no incident when it fails.
    table.boolean('isAboutMails').notNullable()
    table.string('createdAt', 24).notNullable()
    table.index(['spaceId', 'createdAt'])
    table.index(['userId', 'createdAt'])
  })
  await knex.schema.alterTable('userRoles', table => {
    table.boolean('getsAlerts').notNullable().defaultTo(true)
  })
  // When an unsent mail began to count as failing.
  await knex.schema.alterTable('outbox', table => {
    table.string('failedAt', 24)
  })
  await knex.raw(
    `create index "outbox_failed" on "outbox" ("failedAt") where "failedAt" is not null and "sentAt" is null`,
  )
  // The gates that did not react, for the check of the last minutes.
  await knex.raw(
    `create index "openings_not_reacted" on "openings" ("completedAt", "spaceId", "gateId")
     where "reason" in ('no_reaction', 'no_answer')`,
  )
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index "openings_not_reacted"')
  await knex.raw('drop index "outbox_failed"')
  await knex.raw('alter table "outbox" drop column "failedAt"')
  await knex.raw('alter table "userRoles" drop column "getsAlerts"')
  for (const table of ['alertMails', 'incidents']) await knex.schema.dropTable(table)
}
