// Days of a time zone: where each begins and ends.

import { instantOf, zoneOf } from './schedule/zone.ts'

const dayMs = 86_400_000

/** A calendar day of a time zone. */
export interface Day {
  /** `2026-03-29`. */
  readonly date: string
  readonly startsMs: number
  readonly endsMs: number
}

/** The day of `timezone` (an IANA name) in which `nowMs` lies and those before it, `count` in all, oldest first. */
export function lastDays(nowMs: number, timezone: string, count: number): readonly Day[] {
  const zone = zoneOf(timezone)
  if (!zone) throw new RangeError(`no time zone is called ${timezone}`)
  const today = Math.floor((nowMs + zone.offsetMsAt(nowMs)) / dayMs)
  const startOf = (day: number) => {
    const firstMs = instantOf(day * dayMs, zone, 'earlier')
    // Where a clock change leaves midnight out, the day begins at the change.
    const isThere = firstMs + zone.offsetMsAt(firstMs) === day * dayMs
    return isThere ? firstMs : instantOf(day * dayMs, zone, 'later')
  }
  return Array.from({ length: count }, (_, place) => {
    const day = today - count + 1 + place
    return {
      date: new Date(day * dayMs).toISOString().slice(0, 10),
      startsMs: startOf(day),
      endsMs: startOf(day + 1),
    }
  })
}
