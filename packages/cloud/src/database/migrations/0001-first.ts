// The first tables: Spaces, plans, keys, gates, gateways, openings with their reports, activity.

import type { Knex } from 'knex'
import { appendOnly, forgetAppendOnly } from './appendOnly.ts'

export async function up(knex: Knex): Promise<void> {
  const time = (table: Knex.CreateTableBuilder, name: string) => table.string(name, 24)

  await knex.schema.createTable('plans', table => {
    table.string('name').primary()
    table.integer('gateLimit').notNullable()
    table.integer('monthlyInvitationLimit').notNullable()
    table.boolean('hasApi').notNullable()
    table.integer('trialDays')
  })
  await knex('plans').insert([
    { name: 'free', gateLimit: 1, monthlyInvitationLimit: 10, hasApi: false, trialDays: null },
    { name: 'pro', gateLimit: 25, monthlyInvitationLimit: 500, hasApi: true, trialDays: null },
    { name: 'business', gateLimit: 100, monthlyInvitationLimit: 2000, hasApi: true, trialDays: null },
    { name: 'trial', gateLimit: 25, monthlyInvitationLimit: 500, hasApi: true, trialDays: 14 },
  ])

  await knex.schema.createTable('spaces', table => {
    table.string('id').primary()
    table.string('name').notNullable()
    table.string('plan').notNullable().references('plans.name')
    time(table, 'trialEndsAt')
    table.string('country', 2).notNullable()
    table.string('timezone').notNullable()
    table.string('language', 8).notNullable()
    time(table, 'createdAt').notNullable()
  })

  await knex.schema.createTable('apiKeys', table => {
    table.string('id').primary()
    table.string('spaceId').notNullable().references('spaces.id')
    table.string('name').notNullable()
    table.string('keyHash', 64).notNullable().unique()
    table.string('shownPrefix').notNullable()
    table.text('scopes').notNullable()
    time(table, 'createdAt').notNullable()
    time(table, 'expiresAt')
    time(table, 'revokedAt')
    time(table, 'lastUsedAt')
    table.unique(['spaceId', 'id'])
  })

  await knex.schema.createTable('gates', table => {
    table.string('id').primary()
    table.string('spaceId').notNullable().references('spaces.id')
    table.string('name').notNullable()
    table.string('phoneNumber', 16).notNullable()
    table.string('location').notNullable()
    table.text('description')
    table.boolean('isActive').notNullable()
    table.integer('openCount').notNullable().defaultTo(0)
    time(table, 'lastOpenedAt')
    time(table, 'createdAt').notNullable()
    table.text('callProfile').notNullable()
    table.unique(['spaceId', 'id'])
    table.index(['spaceId', 'createdAt', 'id'])
  })

  await knex.schema.createTable('gateways', table => {
    table.string('id').primary()
    table.string('spaceId').notNullable().references('spaces.id')
    table.string('name').notNullable()
    table.string('publicKey', 43).notNullable()
    table.string('passwordHash', 64).notNullable()
    time(table, 'createdAt').notNullable()
    time(table, 'revokedAt')
    table.string('bootId', 22)
    table.string('journalId', 22)
    time(table, 'lastBeatAt')
    table.text('lastBeat')
    table.unique(['spaceId', 'id'])
  })

  // A boot that was followed by another one is refused from then on. This also stops a cloned card.
  await knex.schema.createTable('supersededBoots', table => {
    table.string('gatewayId').notNullable().references('gateways.id')
    table.string('bootId', 22).notNullable()
    time(table, 'supersededAt').notNullable()
    table.primary(['gatewayId', 'bootId'])
  })

  await knex.schema.createTable('openings', table => {
    table.string('id').primary()
    table.string('spaceId').notNullable()
    table.string('gateId').notNullable()
    table.string('gateName').notNullable()
    table.string('phoneNumber', 16).notNullable()
    table.string('status').notNullable()
    table.string('reason')
    table.string('opened')
    table.string('confidence')
    table.boolean('safeToRetry')
    time(table, 'calledAt').notNullable()
    time(table, 'grantBefore').notNullable()
    time(table, 'completedAt')
    table.string('actorType').notNullable()
    table.string('actorName').notNullable()
    table.string('actorEmail')
    table.string('apiKeyId')
    table.string('joinedOpeningId').references('openings.id')
    // The phone number while no other opening may call it; null once it is free.
    table.string('lockedNumber', 16)
    table.string('gatewayId')
    time(table, 'grantedAt')
    table.string('grantNonce', 22)
    table.string('bootId', 22)
    table.text('grantedProfile')
    table.boolean('usageHeld').notNullable().defaultTo(false)
    // Set by the gateway's own verdict. After that, nothing changes the opening.
    table.boolean('isSettled').notNullable().defaultTo(false)
    table.foreign(['spaceId', 'gateId']).references(['spaceId', 'id']).inTable('gates')
    table.foreign(['spaceId', 'apiKeyId']).references(['spaceId', 'id']).inTable('apiKeys')
    table.foreign(['spaceId', 'gatewayId']).references(['spaceId', 'id']).inTable('gateways')
    table.index(['spaceId', 'calledAt', 'id'])
    table.index(['spaceId', 'phoneNumber', 'completedAt'])
    table.index(['joinedOpeningId'])
    table.index(['gatewayId', 'status'])
  })
  // Single flight: at most one call on a number in a Space.
  await knex.raw(
    `create unique index "openings_single_flight" on "openings" ("spaceId", "lockedNumber")
     where "lockedNumber" is not null`,
  )
  await knex.raw(
    `create index "openings_running" on "openings" ("status") where "status" in ('initiated', 'connected')`,
  )

  await knex.schema.createTable('openingReports', table => {
    table.string('openingId').notNullable().references('openings.id')
    table.string('gatewayId').notNullable().references('gateways.id')
    table.string('bootId', 22).notNullable()
    table.bigInteger('seq').notNullable()
    table.string('phase').notNullable()
    table.text('body').notNullable()
    table.text('signature').notNullable()
    time(table, 'receivedAt').notNullable()
    table.primary(['gatewayId', 'bootId', 'seq'])
    table.index(['openingId'])
  })
  await appendOnly(knex, 'openingReports')

  await knex.schema.createTable('activity', table => {
    table.string('id').primary()
    table.string('spaceId').notNullable().references('spaces.id')
    table.string('action').notNullable()
    table.string('actor').notNullable()
    table.string('targetType').notNullable()
    table.string('targetLabel').notNullable()
    table.text('details').notNullable()
    time(table, 'timestamp').notNullable()
    table.index(['spaceId', 'timestamp', 'id'])
  })
  await appendOnly(knex, 'activity')
}

export async function down(knex: Knex): Promise<void> {
  for (const table of [
    'activity',
    'openingReports',
    'openings',
    'supersededBoots',
    'gateways',
    'gates',
    'apiKeys',
    'spaces',
    'plans',
  ])
    await knex.schema.dropTable(table)
  await forgetAppendOnly(knex)
}
