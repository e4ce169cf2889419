// An instant in words on the wall clock of a time zone, by the rules that the schedules are decided by.

import { zoneOf } from '../core/schedule/zone.ts'

/** What Intl writes; the zone is given apart. */
type TimeFormatParts = Omit<Intl.DateTimeFormatOptions, 'timeZone' | 'timeZoneName'>

/** The milliseconds of the same reading in UTC. Throws a RangeError for a zone that is none. */
export function wallClockMs(atMs: number, timezone: string): number {
  const zone = zoneOf(timezone)
  if (!zone) throw new RangeError(`no time zone is called ${timezone}`)
  return atMs + zone.offsetMsAt(atMs)
}

/** `UTC+05:30` for the offset of a wall clock. */
function offsetWords(offsetMs: number): string {
  const size = new Date(Math.abs(offsetMs)).toISOString()
  return `UTC${offsetMs < 0 ? '-' : '+'}${size.slice(11, 16)}`
}

/** What the wall clock of a zone reads at an instant. */
export function zonedWords(atMs: number, timezone: string, locale: string, parts: TimeFormatParts): string {
  return new Intl.DateTimeFormat(locale, { ...parts, timeZone: 'UTC' }).format(wallClockMs(atMs, timezone))
}

/** The same, and what the clock is called: `Thursday 31 December at 23:59 EET`. */
export function zonedWordsAndClock(
  atMs: number,
  timezone: string,
  locale: string,
  parts: TimeFormatParts,
): string {
  const words = zonedWords(atMs, timezone, locale, parts)
  try {
    // Node has the names of the clocks, but rules of its own: its name is right where its reading is.
    const format = (more: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(locale, { ...parts, ...more, timeZone: timezone }).format(atMs)
    if (format({}) === words) return format({ timeZoneName: 'short' })
  } catch (error) {
    // A zone that is newer than this Node.
    if (!(error instanceof RangeError)) throw error
  }
  return `${words} ${offsetWords(wallClockMs(atMs, timezone) - atMs)}`
}
