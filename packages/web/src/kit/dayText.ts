// A day as a person types and reads it, and the days of a calendar. A day is a text such as `2026-06-30`.

import { dayBeside, wallDay } from '../words/time.ts'

/** `30 Jun 2026`. */
export const sayDay = (day: string, locale: string): string =>
  wallDay(day, locale, { day: 'numeric', month: 'short', year: 'numeric' })

/** Small letters without accents, so that `sep` finds `Sept.` and `ianuarie` is found however it is typed. */
const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** The number of a month by the first letters of its name, in the language of the page. */
function monthNamed(name: string, locale: string): number {
  if (name.length < 3) return 0
  const months = Array.from({ length: 12 }, (_, month) => `2026-${String(month + 1).padStart(2, '0')}-01`)
  const isNamed = (day: string, month: 'long' | 'short') =>
    plain(wallDay(day, locale, { month })).startsWith(name)
  // The short name need not begin the long one: `nov.` of `noiembrie`.
  return months.findIndex(day => isNamed(day, 'long') || isNamed(day, 'short')) + 1
}

const two = (value: number) => String(value).padStart(2, '0')

/** The day with these numbers; undefined where the calendar has none. */
function dayWith(year: number, month: number, date: number): string | undefined {
  const day = `${String(year).padStart(4, '0')}-${two(month)}-${two(date)}`
  const atMs = Date.parse(`${day}T00:00:00Z`)
  return year >= 1000 && Number.isFinite(atMs) && new Date(atMs).toISOString().startsWith(day)
    ? day
    : undefined
}

/** Reads `30 Jun 2026`, `30.6.2026`, `30/06/26` or `2026-06-30`; undefined for a text that is no day. */
export function readDay(text: string, locale: string): string | undefined {
  const parts = plain(text).match(/\p{L}+|\d+/gu) ?? []
  if (parts.length !== 3) return undefined
  const isIso = /^\d{4}$/.test(parts[0] ?? '')
  const [date = '', month = '', year = ''] = isIso ? parts.toReversed() : parts
  if (!/^\d{1,2}$/.test(date) || !/^(\d\d){1,2}$/.test(year)) return undefined
  const number = /^\d{1,2}$/.test(month) ? Number(month) : monthNamed(month, locale)
  return dayWith(Number(year.length === 2 ? `20${year}` : year), number, Number(date))
}

/** The first day of a week by the locale: 1 is Monday, 7 is Sunday. Monday where the browser does not know. */
export function firstWeekday(locale: string): number {
  const known = new Intl.Locale(locale) as Intl.Locale & {
    readonly getWeekInfo?: () => { readonly firstDay: number }
  }
  return known.getWeekInfo?.().firstDay ?? 1
}

/** How many days a day lies after the beginning of its week. */
function placeInWeek(day: string, firstDay: number): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() - firstDay + 7) % 7
}

/** The whole weeks that a month touches, as rows of seven days. */
export function weeksOf(day: string, firstDay: number): readonly (readonly string[])[] {
  const first = `${day.slice(0, 7)}-01`
  const start = dayBeside(first, -placeInWeek(first, firstDay))
  const last = dayBeside(monthsLater(first, 1), -1)
  const weeks: string[][] = []
  for (let monday = start; monday <= last; monday = dayBeside(monday, 7))
    weeks.push(Array.from({ length: 7 }, (_, place) => dayBeside(monday, place)))
  return weeks
}

/** The same day so many months later, or the last one of a shorter month. */
export function monthsLater(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const all = year * 12 + month - 1 + months
  const [toYear, toMonth] = [Math.floor(all / 12), (all % 12) + 1]
  for (let last = date; last > 1; last--) {
    const there = dayWith(toYear, toMonth, last)
    if (there) return there
  }
  return dayWith(toYear, toMonth, 1) ?? day
}

/** Where a key leads in a calendar; undefined for a key that leads nowhere. */
export function dayByKey(
  day: string,
  { isShifted, key }: { readonly key: string; readonly isShifted: boolean },
  firstDay: number,
): string | undefined {
  switch (key) {
    case 'ArrowLeft':
      return dayBeside(day, -1)
    case 'ArrowRight':
      return dayBeside(day, 1)
    case 'ArrowUp':
      return dayBeside(day, -7)
    case 'ArrowDown':
      return dayBeside(day, 7)
    case 'Home':
      return dayBeside(day, -placeInWeek(day, firstDay))
    case 'End':
      return dayBeside(day, 6 - placeInWeek(day, firstDay))
    case 'PageUp':
      return monthsLater(day, isShifted ? -12 : -1)
    case 'PageDown':
      return monthsLater(day, isShifted ? 12 : 1)
    default:
      return undefined
  }
}
