// The presses of each day as a bar: a part for each class, to scale, but with problems large enough to be seen.

import type { DayCounts } from '@callgate/contract/app/openingRecord'

export type CountedClass = 'opened' | 'denied' | 'didNotOpen' | 'unknown'

/** From the bottom up. */
export const countedClasses: readonly CountedClass[] = ['opened', 'denied', 'didNotOpen', 'unknown']

export interface BarPart {
  readonly kind: CountedClass
  /** From the top of the chart, in its units. */
  readonly top: number
  readonly height: number
}

/** The least height of a problem, and the distance between two parts, in units. */
const leastHeight = 3
const gap = 1.5

export type Counts = Readonly<Record<CountedClass, number>>

export const totalOf = (counts: Counts) => countedClasses.reduce((sum, kind) => sum + counts[kind], 0)

/** The sums of all days. */
export function sumOf(days: readonly DayCounts[]): Counts {
  const sum = { opened: 0, denied: 0, didNotOpen: 0, unknown: 0 }
  for (const day of days) for (const kind of countedClasses) sum[kind] += day[kind]
  return sum
}

/** The parts of each day's bar on a chart `height` units high. */
export function barsOf(days: readonly DayCounts[], height: number): readonly (readonly BarPart[])[] {
  const most = Math.max(1, ...days.map(totalOf))
  // Room for parts that are drawn larger than to scale.
  const room = height - countedClasses.length * (leastHeight + gap)
  return days.map(day => {
    let top = height
    return countedClasses.flatMap(kind => {
      if (day[kind] === 0) return []
      const part = Math.max(leastHeight, (day[kind] / most) * room)
      top -= part
      const shown = { kind, top, height: part }
      top -= gap
      return [shown]
    })
  })
}
