// The correct events of rows, for tests of the checks.

import type { OpeningStep } from '@callgate/contract/rest/openingEvent'
import type { Row, Truth } from './truth.ts'

type HouseEvent = Truth['events'][number]

function stepsOf({ grantedMs, status }: Row): OpeningStep[] {
  const called: OpeningStep[] = grantedMs === null ? [] : ['calling', 'ringing']
  const ended: OpeningStep[] = status === 'completed' ? ['taken', 'ended'] : ['ended']
  return ['asked', ...called, ...(status === 'initiated' || status === 'connected' ? [] : ended)]
}

/** Each step of each row, with numbers without a gap. */
export function eventsOf(rows: readonly Row[]): HouseEvent[] {
  const at = '2026-01-05T08:00:00.000Z'
  return rows
    .flatMap(row =>
      stepsOf(row).map(step => ({
        kind: `opening.${step}` as const,
        targetId: row.id,
        spaceId: row.spaceId,
        at,
      })),
    )
    .map((event, place) => ({ ...event, seq: place + 1 }))
}
