// Earlier openings that still count for the rates of keys and users.

import { isoTime } from '@callgate/world/world'
import type { Db } from '../database/database.ts'
import type { AskedOpening } from '../http/rateLimit.ts'

/** The openings that keys and users of any Space began since `sinceMs`, oldest first. */
export async function readAskedOpenings(db: Db, sinceMs: number): Promise<readonly AskedOpening[]> {
  // By the Spaces, because the index on `calledAt` begins with the Space: the whole history is not read.
  return db('openings')
    .select(db.raw('coalesce(??, ??) as ??', ['apiKeyId', 'userId', 'askerId']), 'calledAt')
    .whereIn('spaceId', db('spaces').select('id'))
    .where('calledAt', '>', isoTime(sinceMs))
    .whereNull('memberId')
    .orderBy('calledAt')
}
