// Limits of a gateway: its boots in their order, so that only the last ones are kept, and until when it is shut out.

import type { Knex } from 'knex'
import { isPostgres } from '../dialect.ts'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('gateways', table => {
    table.integer('bootCount').notNullable().defaultTo(0)
    table.string('cutOffUntil', 24)
  })
  await knex.schema.alterTable('supersededBoots', table => {
    table.integer('number').notNullable().defaultTo(0)
  })
  // Existing boots keep the order in which they were written, and the current boot follows them. Postgres keeps no such order.
  const isEarlier = isPostgres(knex)
    ? '(earlier."supersededAt", earlier."bootId") <= ("supersededBoots"."supersededAt", "supersededBoots"."bootId")'
    : 'earlier.rowid <= "supersededBoots".rowid'
  await knex.raw(
    `update "supersededBoots" set "number" =
     (select count(*) from "supersededBoots" as earlier
      where earlier."gatewayId" = "supersededBoots"."gatewayId"
      and ${isEarlier})`,
  )
  await knex.raw(
    `update "gateways" set "bootCount" =
     (select count(*) from "supersededBoots" where "gatewayId" = "gateways"."id") + 1
     where "bootId" is not null`,
  )
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('supersededBoots', table => table.dropColumn('number'))
  await knex.schema.alterTable('gateways', table => table.dropColumns('bootCount', 'cutOffUntil'))
}
