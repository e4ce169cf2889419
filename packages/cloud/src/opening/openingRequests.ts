// The requests that wait for the end of an opening.

import type { OpeningRow } from '../core/opening.ts'
import type { Database } from '../database/database.ts'
import type { OpeningClock } from './openingClock.ts'
import type { OpeningNews } from './openingNews.ts'
import { findOpening } from './openingRows.ts'

export interface OpeningRequests {
  /**
   * Resolves when the opening has ended, or after `withinMs`; with the row of the opening as it ended, where this process has
   * ended it. An opening that another replica has accepted needs `spaceId`.
   */
  wait(openingId: string, withinMs: number, spaceId?: string): Promise<OpeningRow | undefined>
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
      if (news && spaceId !== undefined) {
        await news.waitForEnd({ openingId, spaceId }, withinMs)
        return undefined
      }
      // After a restart, the clock knows only the leading opening; its joiners end with it.
      const row = await findOpening(database.knex, openingId)
      await clock.wait(row?.joinedOpeningId ?? openingId, withinMs)
      return undefined
    },
    waiting: () => clock.waiting(),
    ageMs: openingId => clock.ageMs(openingId),
  }
}
