// The requests that wait for the end of an opening.

import type { Database } from '../database/database.ts'
import type { OpeningClock } from './openingClock.ts'
import type { OpeningNews } from './openingNews.ts'
import { findOpening } from './openingRows.ts'

export interface OpeningRequests {
  /** Resolves when the opening has ended, or after `withinMs`. An opening that another replica has accepted needs `spaceId`. */
  wait(openingId: string, withinMs: number, spaceId?: string): Promise<void>
  /** How many requests wait for the end of an opening. */
  waiting(): number
  /** Milliseconds since the opening was accepted by this process. */
  ageMs(openingId: string): number | undefined
}

/** The requests of one cloud. Without `news` it is alone. */
export function openingRequests({
  clock,
  database,
  news,
}: {
  readonly clock: OpeningClock
  readonly database: Database
  readonly news: OpeningNews | undefined
}): OpeningRequests {
  return {
    async wait(openingId, withinMs, spaceId) {
      if (clock.ageMs(openingId) !== undefined) return clock.wait(openingId, withinMs)
      if (news && spaceId !== undefined) return news.waitForEnd({ openingId, spaceId }, withinMs)
      // After a restart, the clock knows only the leading opening; its joiners end with it.
      const row = await findOpening(database.knex, openingId)
      return clock.wait(row?.joinedOpeningId ?? openingId, withinMs)
    },
    waiting: () => clock.waiting(),
    ageMs: openingId => clock.ageMs(openingId),
  }
}
