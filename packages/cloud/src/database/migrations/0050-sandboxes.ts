// Sandbox Spaces: their mode for good, their clock, and the stand-in for a gateway that they have in place of real ones.

import type { Knex } from 'knex'
import { isPostgres } from '../dialect.ts'

/**
 * The previous program knows no sandbox. Until it is replaced, it refuses the keys of one, and calls nothing for it, as all
 * gateways of a sandbox are revoked.
 */
export const readableFrom = '0020-replicas'

const isMisplaced = `new."isStandIn" <> ((select "mode" from "spaces" where "id" = new."spaceId") = 'sandbox')`

/** The rules: each trigger's name, its table and moment, and what it refuses. None runs at a beat. */
const rules = [
  {
    name: 'spaces_keep_mode',
    table: 'spaces',
    when: 'update of "mode"',
    isWrong: 'new."mode" <> old."mode"',
    says: 'the mode of a Space never changes',
  },
  {
    name: 'gateways_not_in_sandbox',
    table: 'gateways',
    when: 'insert',
    isWrong: isMisplaced,
    says: 'a sandbox has its stand-in alone, and no other Space has one',
  },
  {
    name: 'gateways_keep_kind',
    table: 'gateways',
    when: 'update of "isStandIn", "spaceId", "revokedAt"',
    isWrong: `${isMisplaced} or (new."isStandIn" and new."revokedAt" is null)`,
    says: 'a stand-in stays in its sandbox, and is never admitted',
  },
] as const

async function addRules(knex: Knex): Promise<void> {
  for (const { isWrong, name, says, table, when } of rules) {
    if (!isPostgres(knex)) {
      await knex.raw(
        `create trigger "${name}" before ${when} on "${table}" when ${isWrong} begin select raise(abort, '${says}'); end`,
      )
      continue
    }
    await knex.raw(
      `create function "${name}"() returns trigger language plpgsql as
       'begin if ${isWrong.replaceAll("'", "''")} then raise exception ''${says}''; end if; return new; end'`,
    )
    await knex.raw(
      `create trigger "${name}" before ${when} on "${table}" for each row execute function "${name}"()`,
    )
  }
}

async function dropRules(knex: Knex): Promise<void> {
  for (const { name, table } of rules) {
    if (!isPostgres(knex)) await knex.raw(`drop trigger "${name}"`)
    else {
      await knex.raw(`drop trigger "${name}" on "${table}"`)
      await knex.raw(`drop function "${name}"()`)
    }
  }
}

export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `alter table "spaces" add column "mode" varchar(8) not null default 'live' check ("mode" in ('live', 'sandbox'))`,
  )
  // What its schedules see: this instant, which stands still, or goes on from when it was set. Null: the real time.
  await knex.raw('alter table "spaces" add column "clockAt" varchar(24)')
  await knex.raw('alter table "spaces" add column "clockSetAt" varchar(24)')
  await knex.raw(
    `alter table "gateways" add column "isStandIn" boolean not null default ${isPostgres(knex) ? 'false' : '0'}`,
  )
  await addRules(knex)
}

export async function down(knex: Knex): Promise<void> {
  await dropRules(knex)
  await knex.raw('alter table "gateways" drop column "isStandIn"')
  for (const name of ['clockSetAt', 'clockAt', 'mode'])
    await knex.raw(`alter table "spaces" drop column "${name}"`)
}
