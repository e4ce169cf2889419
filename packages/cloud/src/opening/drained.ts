// A cloud that is about to stop waits for openings that no other cloud can bring to an end.

import { ageMs, moment, type World } from '@callgate/world/world'
import type { Database, Db } from '../database/database.ts'
import type { Replica } from '../replica/replica.ts'
import type { OpeningClock } from './openingClock.ts'
import { runningOpenings } from './openingRows.ts'

const checkEveryMs = 250

interface DrainedParts {
  readonly world: World
  readonly database: Database
  readonly clock: OpeningClock
  readonly replica: Replica
}

/** Only the replica that took a press can grant it. Any other replica can wait for an opening that is already granted. */
async function hasUngranted(knex: Db, replica: Replica): Promise<boolean> {
  const ungranted = { gatewayId: null, joinedOpeningId: null, status: 'initiated' }
  const own = await runningOpenings(knex)
    .where({ ...replica.mark(), ...ungranted })
    .first('id')
  return own !== undefined
}

/** Resolves when no request waits and no opening of this cloud is ungranted, or after `withinMs`. */
export async function drained(
  { clock, database, replica, world }: DrainedParts,
  withinMs: number,
): Promise<void> {
  const since = moment(world)
  const isBusy = async () => clock.waiting() > 0 || hasUngranted(database.knex, replica)
  while (ageMs(world, since) < withinMs && (await isBusy().catch(() => true)))
    await new Promise<void>(resolve => world.after(checkEveryMs, resolve))
}
