// An instant as local time of a zone in words, by the same rules as the schedules.

import { zoneOf } from '../core/schedule/zone.ts'

/** The options of Intl; the zone is given separately. */
type TimeFormatParts = Omit<Intl.DateTimeFormatOptions, 'timeZone' | 'timeZoneName'>

/** The milliseconds of the same local time in UTC. Throws a RangeError for an unknown zone. */
export function wallClockMs(atMs: number, timezone: string): number {
  const zone = zoneOf(timezone)
  if (!zone) throw new RangeError(`no time zone is called ${timezone}`)
  return atMs + zone.offsetMsAt(atMs)
}

/** The offset of a local time in the form `UTC+05:30`. */
function offsetWords(offsetMs: number): string {
  const size = new Date(Math.abs(offsetMs)).toISOString()
  return `UTC${offsetMs < 0 ? '-' : '+'}${size.slice(11, 16)}`
}

/** The local time of a zone at an instant. */
export function zonedWords(atMs: number, timezone: string, locale: string, parts: TimeFormatParts): string {
  return new Intl.DateTimeFormat(locale, { ...parts, timeZone: 'UTC' }).format(wallClockMs(atMs, timezone))
}

/** The same, with the abbreviation of the zone: `Thursday 31 December at 23:59 EET`. */
export function zonedWordsAndClock(
  atMs: number,
  timezone: string,
  locale: string,
  parts: TimeFormatParts,
): string {
  const words = zonedWords(atMs, timezone, locale, parts)
  try {
    // Node has the abbreviations of zones, but its own rules: its abbreviation is right where its local time is.
    const format = (more: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(locale, { ...parts, ...more, timeZone: timezone }).format(atMs)
    if (format({}) === words) return format({ timeZoneName: 'short' })
  } catch (error) {
    // The zone is newer than this Node.
    if (!(error instanceof RangeError)) throw error
  }
  return `${words} ${offsetWords(wallClockMs(atMs, timezone) - atMs)}`
}
