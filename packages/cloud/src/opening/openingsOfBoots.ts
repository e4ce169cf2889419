// The effect of beats on openings: they end orphans, and show which calls are over and which the data has lost.

import type { World } from '@callgate/world/world'
import { endingUnknown, type OpeningRow } from '../core/opening.ts'
import type { Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { statement, type Values } from '../database/statement.ts'
import type { Listing, OpeningsOfBoots } from '../heartbeat/beats.ts'
import type { LostGrants } from '../restore/lostGrants.ts'
import { type Ended, endOpening } from './endOpening.ts'
import type { OpeningEnds } from './openingEnds.ts'
import { runningOpenings } from './openingRows.ts'

interface OlderBoots extends Values {
  readonly spaceId: string
  readonly gatewayId: string
  readonly bootId: string
}

const grantedToOlderBoots = statement<OlderBoots, OpeningRow>((db, { bootId, gatewayId, spaceId }) =>
  runningOpenings(db).where({ spaceId, gatewayId }).whereNot({ bootId }),
)

/** Running openings that were granted to an older boot of the gateway, and that the gateway does not list as to report. */
async function orphansOf(db: Db, { toReport, ...boot }: Listing): Promise<readonly OpeningRow[]> {
  const { bootId, gatewayId, spaceId } = boot
  const older = await grantedToOlderBoots(db, { spaceId, gatewayId, bootId })
  return older.filter(({ id }) => !toReport.includes(id))
}

/**
 * Ends openings that were granted to an older boot, unless the gateway still lists them as to report: the journal is lost, so no
 * report is expected. A report may still come: it may be on its way, an older boot may run elsewhere, or a late beat of an ended
 * boot may look newer than it is. Such a report corrects the opening.
 */
async function endOrphans(tx: Db, world: World, beat: Listing): Promise<Ended[]> {
  const ended: Ended[] = []
  const nowMs = timeIn(tx, world)
  for (const row of await orphansOf(tx, beat)) {
    const atMs = Math.max(nowMs, Date.parse(row.calledAt))
    const ending = endingUnknown('outcome_unknown')
    ended.push(await endOpening(tx, { row, end: 'journalLost', ending, atMs }))
  }
  return ended
}

/** The handlers of beats for openings. */
export function openingsOfBoots({
  ends,
  lostGrants,
  world,
}: {
  readonly world: World
  readonly ends: Pick<OpeningEnds, 'afterEnd' | 'unheard'>
  readonly lostGrants: Pick<LostGrants, 'hear'>
}): OpeningsOfBoots {
  return {
    hasOrphans: async (db, boot) => (await orphansOf(db, boot)).length > 0,
    async endOrphans(tx, boot) {
      const ended = await endOrphans(tx, world, boot)
      return () => {
        for (const one of ended) ends.afterEnd(one)
      }
    },
    async heard(beat, answer) {
      ends.unheard.heard(beat)
      await lostGrants.hear(beat.gatewayId, answer)
    },
  }
}
