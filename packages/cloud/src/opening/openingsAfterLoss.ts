// Treats openings after a loss of data: each that may have got a grant ends, and holds its number.

import type { World } from '@callgate/world/world'
import { endingUnknown, isRunning, isUngranted, type OpeningRow } from '../core/opening.ts'
import type { Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { forgetEvents } from '../event/events.ts'
import type { OpeningsAfterLoss } from '../restore/afterLoss.ts'
import { tellResets } from '../webhook/webhookRows.ts'
import { type Ended, endOpening } from './endOpening.ts'
import type { OpeningEnds } from './openingEnds.ts'
import { recordSteps } from './openingEvents.ts'
import { findOpening, findOpeningOf, joinersOf, runningOpenings } from './openingRows.ts'

/** Advances the event numbers, and ends waiting openings that may have got a grant; of one Space, or of all. */
async function markEnds(tx: Db, world: World, spaceId?: string): Promise<readonly Ended[]> {
  const atMs = timeIn(tx, world)
  // First, so that the events of the ends get the new numbers.
  await forgetEvents(tx, spaceId)
  await tellResets(tx, spaceId, atMs)
  const waiting = runningOpenings(tx).whereNull('joinedOpeningId').whereNull('gatewayId')
  const rows: OpeningRow[] = await (spaceId === undefined ? waiting : waiting.where({ spaceId }))
  const ended: Ended[] = []
  for (const row of rows) {
    const ending = endingUnknown('outcome_unknown')
    ended.push(await endOpening(tx, { row, end: 'restored', ending, atMs }))
  }
  return ended
}

/**
 * A gateway reports a call for an opening that has no grant in the data: the record no longer claims to know the outcome. An
 * opening that still waits ends, and holds its number. Its joiners follow it.
 */
export async function doubt(tx: Db, world: World, row: OpeningRow): Promise<Ended | undefined> {
  if (row.joinedOpeningId !== null) return undefined
  const atMs = timeIn(tx, world)
  if (isUngranted(row))
    return endOpening(tx, { row, end: 'restored', ending: endingUnknown('outcome_unknown'), atMs })
  if (row.opened !== 'no') return undefined
  const joined = (await joinersOf(tx, { joinedOpeningId: row.id })).filter(joiner => !isRunning(joiner))
  const ids = [row, ...joined].map(({ id }) => id)
  const { status: _, ...unknown } = endingUnknown('outcome_unknown')
  await tx<OpeningRow>('openings').whereIn('id', ids).update(unknown)
  await recordSteps(tx, row, ['ended'], { atMs, joined })
  return undefined
}

export function openingsAfterLoss({
  ends,
  world,
}: {
  readonly world: World
  readonly ends: Pick<OpeningEnds, 'afterEnd'>
}): OpeningsAfterLoss {
  return {
    async isGranted(db, { gatewayId, openingId, spaceId }) {
      const row = await findOpening(db, openingId)
      return row?.spaceId === spaceId && row.gatewayId === gatewayId
    },
    async markEnds(tx, spaceId) {
      const ended = await markEnds(tx, world, spaceId)
      const afterCommit = () => {
        for (const one of ended) ends.afterEnd(one)
      }
      return { endedOpenings: ended.length, afterCommit }
    },
    async doubt(tx, { openingId, spaceId }) {
      const row = await findOpeningOf(tx, spaceId, openingId)
      const ended = row && (await doubt(tx, world, row))
      return () => ended && ends.afterEnd(ended)
    },
  }
}
