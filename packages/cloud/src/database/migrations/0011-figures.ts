// Data for the dashboard's gateways and openings: the figures of the beats, and the class of each opening.

import type { Knex } from 'knex'
import { isPostgres } from '../dialect.ts'

// The same rule as `openingClassOf`; a test compares them. A generated column cannot differ from its row.
const classOfOpening = `case
  when "status" in ('initiated', 'connected') then 'running'
  when "opened" in ('yes', 'likely') then case when "confidence" = 'assumed' then 'probably_opened' else 'opened' end
  when "opened" is not 'no' then 'unknown'
  when "reason" in ('gate_inactive', 'outside_schedule', 'access_ended', 'usage_exhausted', 'access_inactive',
    'access_revoked', 'permission_lost') then 'denied'
  when "reason" in ('gateway_offline', 'modem_busy', 'modem_not_ready', 'no_network', 'not_dialled', 'interrupted',
    'number_not_allowed', 'number_changed', 'sim_error', 'line_in_use') then 'not_called'
  else 'did_not_open' end`

const openingIndexes = {
  openings_by_class: ['spaceId', 'class', 'calledAt', 'id'],
  openings_of_gate_by_class: ['spaceId', 'gateId', 'class', 'calledAt', 'id'],
}

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('beatFigures', table => {
    table.string('gatewayId').notNullable().references('gateways.id')
    // Seconds: 60, 900 or 3600.
    table.integer('stepS').notNullable()
    table.string('startsAt', 24).notNullable()
    table.integer('onlineMs').notNullable()
    // The lowest signal, and the worst registration.
    table.integer('signalDbm')
    table.integer('supplyMv')
    table.integer('worstRegistration')
    table.primary(['gatewayId', 'stepS', 'startsAt'])
  })
  await knex.schema.alterTable('gateways', table => {
    // Typed by an admin: no modem knows the number of its SIM card for sure.
    table.string('callerNumber', 16)
    // When the gateway last came online.
    table.string('onlineSince', 24)
  })
  // Postgres has no index on a virtual column, and no `is not` for values.
  const generated = isPostgres(knex)
    ? `(${classOfOpening.replace('is not', 'is distinct from')}) stored`
    : `(${classOfOpening}) virtual`
  await knex.raw(`alter table "openings" add column "class" text generated always as ${generated}`)
  await knex.schema.alterTable('openings', table => {
    for (const [name, columns] of Object.entries(openingIndexes)) table.index(columns, name)
  })
  await knex.raw(
    `create index "openings_of_gateway" on "openings" ("spaceId", "gatewayId", "calledAt", "id")
     where "gatewayId" is not null`,
  )
  for (const [name, column] of Object.entries({ openings_of_key: 'apiKeyId', openings_of_user: 'userId' }))
    await knex.raw(
      `create index "${name}" on "openings" ("spaceId", "${column}", "calledAt", "id")
       where "${column}" is not null`,
    )
}

export async function down(knex: Knex): Promise<void> {
  for (const name of [
    'openings_of_gateway',
    'openings_of_key',
    'openings_of_user',
    ...Object.keys(openingIndexes),
  ])
    await knex.raw(`drop index "${name}"`)
  // Not by knex, which would copy the table; a generated column does not allow that.
  await knex.raw('alter table "openings" drop column "class"')
  await knex.raw('alter table "gateways" drop column "callerNumber"')
  await knex.raw('alter table "gateways" drop column "onlineSince"')
  await knex.schema.dropTable('beatFigures')
}
