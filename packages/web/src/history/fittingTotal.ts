// How many presses fit the filters, where the counts of the days tell it, so that nothing has to be counted for it.

import type { DayCounts } from '@callgate/contract/app/openingRecord'
import type { OpeningClass } from '@callgate/contract/call/openingClass'
import { type CountedClass, sumOf } from './dayBars.ts'
import type { Filters } from './filters.ts'

/** What each count of a day counts together. */
const countedAs: Readonly<Record<CountedClass, readonly OpeningClass[]>> = {
  opened: ['opened', 'probably_opened'],
  denied: ['denied'],
  didNotOpen: ['did_not_open', 'not_called'],
  unknown: ['unknown'],
}

/**
 * The presses that fit the filters; undefined where the counts do not tell it: of a gate or a person, of other times, or of
 * one class that is counted with another. `days`: oldest first, today last. `running`: how many run, which no day counts.
 */
export function fittingTotal(
  { by, classes, gateId, time }: Filters,
  days: readonly DayCounts[],
  running: number,
): number | undefined {
  if (by || gateId !== undefined || time.is !== 'days' || time.days > days.length) return undefined
  const sum = sumOf(days.slice(-time.days))
  const isWanted = (kind: OpeningClass) => classes.length === 0 || classes.includes(kind)
  let total = isWanted('running') ? running : 0
  for (const [name, together] of Object.entries(countedAs)) {
    const wanted = together.filter(isWanted)
    if (wanted.length > 0 && wanted.length < together.length) return undefined
    if (wanted.length > 0) total += sum[name as CountedClass]
  }
  return total
}
