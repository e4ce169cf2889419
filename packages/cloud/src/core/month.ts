// Calendar months of a time zone, in which invitations are counted.

import { zoneOf } from './schedule/zone.ts'

/** A calendar month of a zone. */
export interface Month {
  readonly timezone: string
  /** Its first instant, as the API writes times. */
  readonly startsAt: string
  /** The first instant of the next month. */
  readonly endsAt: string
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** The month of `timezone` (an IANA name) in which `nowMs` lies. Throws a RangeError for an unknown zone. */
export function monthOf(nowMs: number, timezone: string): Month {
  const zone = zoneOf(timezone)
  if (!zone) throw new RangeError(`no time zone is called ${timezone}`)
  /** The calendar month, counted from the beginning of year 0. */
  const monthAt = (atMs: number) => {
    const wall = new Date(atMs + zone.offsetMsAt(atMs))
    return wall.getUTCFullYear() * 12 + wall.getUTCMonth()
  }
  /** A binary search: no zone is a day off UTC, and none changes its clocks within a minute. */
  const startOf = (month: number) => {
    const utcMs = Date.UTC(Math.floor(month / 12), month % 12, 1)
    let beforeMs = utcMs - dayMs
    let withinMs = utcMs + dayMs
    while (withinMs - beforeMs > minuteMs) {
      const middleMs = beforeMs + Math.floor((withinMs - beforeMs) / 2 / minuteMs) * minuteMs
      if (monthAt(middleMs) >= month) withinMs = middleMs
      else beforeMs = middleMs
    }
    return withinMs
  }
  const month = monthAt(nowMs)
  return {
    timezone,
    startsAt: new Date(startOf(month)).toISOString(),
    endsAt: new Date(startOf(month + 1)).toISOString(),
  }
}
