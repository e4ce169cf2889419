// Rows that may only be added: neither the application nor a person at a prompt changes history by accident.

import type { Knex } from 'knex'
import { isPostgres } from '../dialect.ts'

/** Refuses every update and delete of rows of `table`, and on Postgres also that the table is emptied. */
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

/** Removes what `appendOnly` leaves when the last of its tables is gone. */
export async function forgetAppendOnly(knex: Knex): Promise<void> {
  if (isPostgres(knex)) await knex.raw('drop function "refuseChange"()')
}
