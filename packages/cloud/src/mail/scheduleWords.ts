// A schedule in words: days, hours, from when and until when.

import type { Schedule, TimeWindow } from '@callgate/contract/rest/schedule'
import { fill } from '../text/fill.ts'
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
  if (to === '23:59' || to === '00:00') return `${from}–24:00`
  return from < to ? `${from}–${to}` : `${from}–${to} (${overnight})`
}

/** A limit in the local time of the schedule's zone. A limit without an offset is local time already. */
function boundWords(limit: string, timezone: string, locale: string): string {
  const hasOffset = /(z|[+-]\d{2}(:?\d{2})?)$/i.test(limit.slice('2026-01-05'.length))
  const atMs = Date.parse(hasOffset ? limit : `${limit}Z`)
  if (Number.isNaN(atMs)) return limit
  const words = (parts: Intl.DateTimeFormatOptions) =>
    zonedWords(atMs, hasOffset ? timezone : 'UTC', locale, parts)
  const day = words({ dateStyle: 'long' })
  const time = words({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  return `${day}, ${time}`
}

/** One schedule in words. Its zone is named where it differs from `spaceTimezone`, which readers assume otherwise. */
export function scheduleWords(schedule: Schedule, wording: Wording, spaceTimezone: string): string {
  const { expiresAt, startsAt, timezone } = schedule
  const timeWindows = ('timeWindows' in schedule && schedule.timeWindows) || []
  const limit = (sentence: string, at: string | undefined) =>
    at === undefined ? [] : [fill(sentence, { time: boundWords(at, timezone, wording.locale) })]
  const hasTimes = timeWindows.length > 0 || startsAt !== undefined || expiresAt !== undefined
  const parts = [
    daysOf(schedule, wording),
    ...timeWindows.map(window => windowWords(window, wording)),
    ...limit(wording.from, startsAt),
    ...limit(wording.until, expiresAt),
  ]
  const words = parts.join(', ')
  return hasTimes && timezone !== spaceTimezone
    ? `${words} (${fill(wording.zone, { zone: timezone })})`
    : words
}
