// Enrolments: the one-time codes of new gateways, and the gateways that have used them.

import type { Knex } from 'knex'

/** The previous program does not use this table. */
export const readableFrom = '0020-replicas'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('enrolments', table => {
    table.string('id').primary()
    table.string('spaceId').notNullable().references('spaces.id')
    // The name of the gateway.
    table.string('name').notNullable()
    table.boolean('isForCard').notNullable()
    // The gateway that is revoked when this one is confirmed.
    table.string('replaces').references('gateways.id')
    // The first characters of the code, which are no secret, and the hash of the whole code.
    table.string('codeName').notNullable()
    table.string('codeHash').notNullable()
    table.integer('wrongTries').notNullable()
    table.string('createdAt', 24).notNullable()
    // When the code expires; after it was taken, when the confirmation expires.
    table.string('expiresAt', 24).notNullable()
    // The messages from and to the gateway that has taken the code.
    table.string('takenAt', 24)
    table.string('publicKey')
    table.string('commitment')
    // JSON.
    table.text('device')
    table.string('cloudNonce')
    // JSON.
    table.text('cloudKeys')
    // Null until the gateway has revealed the nonce of its commitment.
    table.string('gatewayNonce')
    table.string('fingerprint')
    table.string('endedAt', 24)
    // `confirmed` or `refused`.
    table.string('endedAs')
    table.string('gatewayId').references('gateways.id')
    // When the gateway said that it has its login.
    table.string('storedAt', 24)
    table.unique(['codeName'])
    table.index(['spaceId', 'createdAt', 'id'])
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('enrolments')
}
