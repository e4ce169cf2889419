// A schedule in words: days, hours, from when and until when.

import type { Schedule, TimeWindow } from '@callgate/contract/rest/schedule'
import { fill } from '../text/fill.ts'
import { dateTogether, rangeDash } from '../text/lines.ts'
import { zonedWords } from '../text/zonedTime.ts'
import type { Wording } from './wording.ts'

/** A Sunday; the names of the weekdays are taken from the days after it. */
const aSundayMs = Date.UTC(2026, 0, 4)
const dayMs = 24 * 60 * 60 * 1000

/** Days of a week in their order, Monday first. */
function dayNames(days: readonly number[], { everyDay, locale }: Wording): string {
  const inOrder = [1, 2, 3, 4, 5, 6, 0].filter(day => days.includes(day))
  if (inOrder.length === 7) return everyDay
  const names = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' })
  const list = new Intl.ListFormat(locale, { type: 'conjunction' })
  return list.format(inOrder.map(day => names.format(aSundayMs + day * dayMs)))
}

function daysOf(schedule: Schedule, wording: Wording): string {
  switch (schedule.type) {
    case 'weekdays':
      return wording.weekdays
    case 'weekends':
      return wording.weekends
    case 'custom':
      return dayNames(schedule.daysOfWeek, wording)
    default:
      return wording.always
  }
}

/** decisions.md, "Window bounds": 23:59 and 00:00 both mean the end of the day. */
function windowWords({ from, to }: TimeWindow, { overnight }: Wording): string {
  if (to === '23:59' || to === '00:00') return `${from}${rangeDash}24:00`
  return from < to ? `${from}${rangeDash}${to}` : `${from}${rangeDash}${to} (${overnight})`
}

/** A limit in the local time of the schedule's zone. A limit without an offset is local time already. */
function boundWords(limit: string, timezone: string, locale: string): readonly [day: string, time?: string] {
  const hasOffset = /(z|[+-]\d{2}(:?\d{2})?)$/i.test(limit.slice('2026-01-05'.length))
  const atMs = Date.parse(hasOffset ? limit : `${limit}Z`)
  if (Number.isNaN(atMs)) return [limit]
  const words = (parts: Intl.DateTimeFormatOptions) =>
    zonedWords(atMs, hasOffset ? timezone : 'UTC', locale, parts)
  return [
    dateTogether(words({ dateStyle: 'long' })),
    words({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  ]
}

/** From when until when. Where both are on one day, it is said once. */
function boundsOf({ expiresAt, startsAt, timezone }: Schedule, wording: Wording): readonly string[] {
  const bound = (at: string | undefined) =>
    at === undefined ? undefined : boundWords(at, timezone, wording.locale)
  const [from, until] = [bound(startsAt), bound(expiresAt)]
  if (from && until?.[1] && from[0] === until[0]) return [`${from.join(', ')}${rangeDash}${until[1]}`]
  return [
    ...(from ? [fill(wording.from, { time: from.join(', ') })] : []),
    ...(until ? [fill(wording.until, { time: until.join(', ') })] : []),
  ]
}

/** The parts of a schedule: its limits, its days and hours, and its zone where it differs from `spaceTimezone`, which readers assume. */
function partsOf(schedule: Schedule, wording: Wording, spaceTimezone: string) {
  const { timezone } = schedule
  const timeWindows = ('timeWindows' in schedule && schedule.timeWindows) || []
  const bounds = boundsOf(schedule, wording)
  const days = daysOf(schedule, wording)
  const hours = [
    ...(days === wording.always && bounds.length > 0 ? [] : [days]),
    ...timeWindows.map(window => windowWords(window, wording)),
  ]
  const isElsewhere = timeWindows.length + bounds.length > 0 && timezone !== spaceTimezone
  const zone = isElsewhere ? ` (${fill(wording.zone, { zone: timezone })})` : ''
  return { bounds: bounds.join(', '), hours: hours.join(', '), zone }
}

/**
 * One schedule on one line, its limits first: behind the hours, "until" reads as the end of a night or a day. A dot parts them: a
 * colon stands beside the one of a time.
 */
export function scheduleWords(...schedule: Parameters<typeof partsOf>): string {
  const { bounds, hours, zone } = partsOf(...schedule)
  return `${[bounds, hours].filter(Boolean).join('\u00a0· ')}${zone}`
}

/** One schedule on lines: its limits stand below its days and hours, by an em further in, so that they are of these alone. */
export function scheduleLines(...schedule: Parameters<typeof partsOf>): readonly string[] {
  const { bounds, hours, zone } = partsOf(...schedule)
  return bounds && hours ? [hours, `\u2003${bounds}${zone}`] : [`${bounds || hours}${zone}`]
}
