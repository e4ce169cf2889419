// Checks whether commits on Postgres wait for a standby: one that takes over from a server whose commits do not wait has lost the
// last ones.

import { type Db, runSql } from './database.ts'

/**
 * Every user may count the standbys, but only some see whether they are synchronous. So the settings are read: where they name a
 * standby, commits wait for it.
 */
const standbysSql = `select count(*) as "standbys" from pg_stat_replication
  where current_setting('synchronous_standby_names') = '' or current_setting('synchronous_commit') in ('off', 'local')`

/** How many standbys follow the server while no commit waits for one. */
export async function unwaitedStandbys(knex: Db): Promise<number> {
  const [row] = (await runSql(knex, standbysSql, [])) as readonly { readonly standbys: number }[]
  return Number(row?.standbys ?? 0)
}
