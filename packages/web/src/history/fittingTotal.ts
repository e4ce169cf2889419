// The number of presses that match the filters, where the counts of the days give it without another query.

import type { DayCounts } from '@callgate/contract/app/openingRecord'
import type { OpeningClass } from '@callgate/contract/call/openingClass'
import { type CountedClass, sumOf } from './dayBars.ts'
import type { Filters } from './filters.ts'

/** The classes that each count of a day combines. */
const countedAs: Readonly<Record<CountedClass, readonly OpeningClass[]>> = {
  opened: ['opened', 'probably_opened'],
  denied: ['denied'],
  didNotOpen: ['did_not_open', 'not_called'],
  unknown: ['unknown'],
}

/**
 * The number of matching presses. Undefined where the counts do not give it: for a gate or a person, for other times, or for one
 * class that is counted together with another. `days`: oldest first, today last. `running`: the number of running openings, which
 * no day counts.
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
