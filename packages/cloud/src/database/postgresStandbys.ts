// Whether commits on Postgres wait for a standby: one that takes the place of a server without them has lost what came last.

import { type Db, runSql } from './database.ts'

/**
 * Everybody may count the standbys, but only some users see whether they are synchronous. So the settings are read: where they
 * name one, commits wait for it.
 */
const standbysSql = `select count(*) as "standbys" from pg_stat_replication
  where current_setting('synchronous_standby_names') = '' or current_setting('synchronous_commit') in ('off', 'local')`

/** How many standbys follow the server while no commit waits for any. */
export async function unwaitedStandbys(knex: Db): Promise<number> {
  const [row] = (await runSql(knex, standbysSql, [])) as readonly { readonly standbys: number }[]
  return Number(row?.standbys ?? 0)
}
