// The events of openings: each step of each opening, also of those that have joined another.

import type { OpeningStep } from '@callgate/contract/rest/openingEvent'
import type { OpeningRow } from '../core/opening.ts'
import type { Db } from '../database/database.ts'
import { recordEvents } from '../event/events.ts'

type Of = Pick<OpeningRow, 'id' | 'spaceId' | 'gateId' | 'memberId'>

/** Writes the steps of an opening and of its joiners `joined`; all are of one Space. */
export async function recordSteps(
  tx: Db,
  opening: Of,
  steps: readonly OpeningStep[],
  { atMs, joined = [] }: { readonly atMs: number; readonly joined?: readonly Of[] },
): Promise<void> {
  const events = [opening, ...joined].flatMap(({ gateId, id, memberId }) =>
    steps.map(step => ({ kind: `opening.${step}` as const, targetId: id, gateId, memberId, atMs })),
  )
  await recordEvents(tx, opening.spaceId, events)
}
