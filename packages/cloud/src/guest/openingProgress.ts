// The page of one opening: how it stands, while it runs and at its end.

import type { World } from '@callgate/world/world'
import { endingOf, type OpeningRow } from '../core/opening.ts'
import type { Database } from '../database/database.ts'
import { findGuestOpening, readSchedulesOf } from './guestRows.ts'
import { nextAllowed } from './language.ts'
import { outcomeOf } from './outcome.ts'
import { openingPage, type Stand } from './views.ts'
import type { Answering, Visit } from './visit.ts'

export function openingProgress({
  database: { knex },
  world,
}: {
  readonly database: Database
  readonly world: World
}): Answering {
  async function standOf({ language, member }: Visit, row: OpeningRow): Promise<Stand> {
    const ending = endingOf(row)
    if (!ending && row.status === 'connected') return { step: 'ringing' }
    if (!ending) return { step: row.joinedOpeningId === null ? 'calling' : 'joined' }
    const outcome = outcomeOf(ending)
    const isOutside = outcome === 'outside' && row.accessId !== null
    const schedules = isOutside ? await readSchedulesOf(knex, member, row.accessId) : []
    return { outcome, next: nextAllowed(schedules, world.nowMs(), language) }
  }

  return async visit => {
    const row = await findGuestOpening(knex, visit.member, String(visit.ctx.params.openingId))
    return row && { status: 200, page: openingPage(visit, row, await standOf(visit, row)) }
  }
}
