// Ends the codes of gateways by the time of service, because a wall clock that was set back would keep them valid.

import type { Database } from '../database/database.ts'
import { servedFor } from '../database/servedTime.ts'
import { codeValidMs, confirmWithinMs } from './core/enrolmentDecision.ts'

const endedAtOnce = 50

/** Deletes codes that nobody has taken, and those that nobody has confirmed. The next round ends the rest. */
export async function endEnrolmentCodes({ database }: { readonly database: Database }): Promise<void> {
  for (const kind of ['typed', 'card'] as const)
    for (const isTaken of [false, true]) {
      const validMs = codeValidMs[kind] + (isTaken ? confirmWithinMs[kind] : 0)
      const open = database
        .knex('enrolments')
        .where({ isForCard: kind === 'card' })
        .whereNull('endedAt')
      const query = isTaken ? open.whereNotNull('takenAt') : open.whereNull('takenAt')
      const over: { spaceId: string; id: string }[] = await servedFor(query, validMs)
        .select('spaceId', 'id')
        .limit(endedAtOnce)
      for (const { id, spaceId } of over)
        await database.write(tx => tx('enrolments').where({ id, spaceId }).whereNull('endedAt').delete(), {
          spaceId,
        })
    }
}
