// The openings of a Space that wait for their grant, ended together when an admin locks all gates.

import type { World } from '@callgate/world/world'
import { endingUndialled } from '../core/opening.ts'
import type { Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { type Ended, endOpening } from './endOpening.ts'
import type { OpeningEnds } from './openingEnds.ts'
import { runningOpenings } from './openingRows.ts'

/** Openings that have ended in a transaction. Call `afterCommit` once it is committed. */
export interface EndedWaiting {
  /** How many presses, those that had joined among them. */
  readonly count: number
  afterCommit(): void
}

/**
 * Ends each opening of the Space that has no grant, with those that have joined it. One with a grant is left alone: its call may
 * run. The owner of an opening may be another cloud, which learns of the end by its events; no cloud grants it any more, since a
 * grant needs the lock of the Space and an opening that has not ended.
 */
export function endWaitingOpenings({
  ends,
  world,
}: {
  readonly world: World
  readonly ends: Pick<OpeningEnds, 'afterEnd'>
}): (tx: Db, spaceId: string) => Promise<EndedWaiting> {
  return async (tx, spaceId) => {
    const atMs = timeIn(tx, world)
    const ending = endingUndialled('locked_down')
    const ended: Ended[] = []
    const waiting = runningOpenings(tx).where({ spaceId, joinedOpeningId: null, gatewayId: null })
    for (const row of await waiting)
      ended.push(await endOpening(tx, { row, end: 'lockedDown', ending, atMs }))
    return {
      count: ended.reduce((sum, { endedIds }) => sum + endedIds.length, 0),
      afterCommit() {
        for (const one of ended) ends.afterEnd(one)
      },
    }
  }
}
