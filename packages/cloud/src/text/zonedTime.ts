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

/** Node's own name of a zone, where Node has the zone and computes the same local time; else the offset. */
function nameOf(
  atMs: number,
  timezone: string,
  locale: string,
  timeZoneName: 'short' | 'longGeneric',
): string {
  const minute = { dateStyle: 'short', timeStyle: 'short' } as const
  try {
    const inNode = (more: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(locale, { ...more, timeZone: timezone })
    if (inNode(minute).format(atMs) === zonedWords(atMs, timezone, locale, minute)) {
      const named = inNode({ timeZoneName }).formatToParts(atMs)
      const found = named.find(({ type }) => type === 'timeZoneName')
      if (found) return found.value
    }
  } catch (error) {
    // The zone is newer than this Node.
    if (!(error instanceof RangeError)) throw error
  }
  return offsetWords(wallClockMs(atMs, timezone) - atMs)
}

/** The local time of a zone, with the abbreviation of its clock: `Thursday 31 December at 23:59 EET`. */
export const zonedWordsAndClock = (
  atMs: number,
  timezone: string,
  locale: string,
  parts: TimeFormatParts,
): string => `${zonedWords(atMs, timezone, locale, parts)} ${nameOf(atMs, timezone, locale, 'short')}`

/** The name of a zone in words, which are right in summer and in winter: `Eastern European Time`. Some, like UTC, have none. */
export function zoneWords(atMs: number, timezone: string, locale: string): string {
  const words = nameOf(atMs, timezone, locale, 'longGeneric')
  return /^(GMT|UTC)/.test(words) ? nameOf(atMs, timezone, locale, 'short') : words
}
