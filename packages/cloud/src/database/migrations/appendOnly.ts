// Append-only rows: neither the application nor a person at a prompt changes history by accident.

import type { Knex } from 'knex'
import { isPostgres } from '../dialect.ts'

/** Refuses every update and delete of rows of `table`, and on Postgres also `truncate`. */
export async function appendOnly(knex: Knex, table: string): Promise<void> {
  if (isPostgres(knex)) return appendOnlyPostgres(knex, table)
  for (const verb of ['update', 'delete']) {
    await knex.raw(
      `create trigger "${table}_no_${verb}" before ${verb} on "${table}"
       begin select raise(abort, '${table} is append-only'); end`,
    )
  }
}

async function appendOnlyPostgres(knex: Knex, table: string): Promise<void> {
  await knex.raw(
    `create or replace function "refuseChange"() returns trigger language plpgsql as
     'begin raise exception ''% is append-only'', tg_table_name; end'`,
  )
  await knex.raw(
    `create trigger "${table}_no_change" before update or delete on "${table}"
     for each row execute function "refuseChange"()`,
  )
  await knex.raw(
    `create trigger "${table}_no_truncate" before truncate on "${table}"
     for each statement execute function "refuseChange"()`,
  )
}

/**
 * Lets a transaction with a row in `identityRemovals` remove identities from an append-only table. It may update a row, but not
 * what was done and when; or it may delete the rows by which an entry is found.
 */
export async function exceptIdentities(knex: Knex, table: string, verb: 'update' | 'delete'): Promise<void> {
  if (isPostgres(knex)) return exceptIdentitiesPostgres(knex, table)
  const fixed = ['id', 'spaceId', 'action', 'targetType', 'timestamp']
  const isOther = fixed.map(column => `old."${column}" is not new."${column}"`).join(' or ')
  await knex.raw(`drop trigger "${table}_no_${verb}"`)
  await knex.raw(
    `create trigger "${table}_no_${verb}" before ${verb} on "${table}"
     when not exists (select 1 from "identityRemovals")${verb === 'update' ? ` or ${isOther}` : ''}
     begin select raise(abort, '${table} is append-only'); end`,
  )
}

async function exceptIdentitiesPostgres(knex: Knex, table: string): Promise<void> {
  await knex.raw(
    `create or replace function "refuseAllButIdentities"() returns trigger language plpgsql as
     'begin
       if exists (select 1 from "identityRemovals") then
         if tg_op = ''DELETE'' and tg_table_name = ''activityConcerns'' then return old; end if;
         if tg_op = ''UPDATE'' and tg_table_name = ''activity'' then
           if (old."id", old."spaceId", old."action", old."targetType", old."timestamp")
             = (new."id", new."spaceId", new."action", new."targetType", new."timestamp") then return new; end if;
         end if;
       end if;
       raise exception ''% is append-only'', tg_table_name;
     end'`,
  )
  await knex.raw(`drop trigger "${table}_no_change" on "${table}"`)
  await knex.raw(
    `create trigger "${table}_no_change" before update or delete on "${table}"
     for each row execute function "refuseAllButIdentities"()`,
  )
}

/** Removes what `appendOnly` leaves behind when the last of its tables is gone. */
export async function forgetAppendOnly(knex: Knex): Promise<void> {
  if (isPostgres(knex)) await knex.raw('drop function "refuseChange"()')
}
