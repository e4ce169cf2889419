// The doctor's checks for data that is or may be lost: reports without a grant in the data, and standbys.

import { isoTime, type World } from '@callgate/world/world'
import type { Config } from '../config.ts'
import { counted } from '../core/counted.ts'
import { countRows, type Database } from '../database/database.ts'
import { unwaitedStandbys } from '../database/postgresStandbys.ts'
import { type Found, fine, warning } from './check.ts'
import { inData } from './readData.ts'

/** Whether a failover to a standby of the server could lose commits. */
export async function checkStandbys({ knex }: Database): Promise<Found | undefined> {
  const standbys = await unwaitedStandbys(knex)
  if (standbys === 0) return undefined
  return warning(
    `Commits do not wait for a standby (${standbys} here): when one takes over, the last openings are lost`,
    'Name it in synchronous_standby_names, and keep synchronous_commit on: "Failover" in databases.md.',
  )
}

/** How old a report may be that the doctor names, milliseconds. */
const namedForMs = 7 * 24 * 60 * 60 * 1_000

/** Reports of gateways about calls that the data does not know: it may have gone back. */
export const checkStrayClouds = (world: World, config: Config): Promise<Found> =>
  inData({ config, what: 'whether gateways told of calls that it lacks', world }, async ({ knex }) => {
    const since = isoTime(world.nowMs() - namedForMs)
    const strays = await countRows(knex('strayReports').where('receivedAt', '>', since))
    return strays === 0
      ? fine('Every call that was reported in the last 7 days was granted')
      : warning(
          `Gateways told ${counted(strays, 'time')} in the last 7 days of calls that the data does not know as granted`,
          'Was the data put back, or has a standby taken over? Then: "When the data has gone back" in databases.md.',
        )
  })
