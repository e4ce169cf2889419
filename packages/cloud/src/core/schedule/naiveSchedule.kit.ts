// A second implementation of schedules, for tests: slow, plain, and without a line in common with the product.

import type { Schedule } from '@callgate/contract/rest/schedule'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const formats = new Map<string, Intl.DateTimeFormat>()

/** The wall clock of a zone as `2026-03-29T03:15:00`; years have four digits. */
export function wallText(timeZone: string, atMs: number): string {
  const known = formats.get(timeZone)
  const format =
    known ??
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium', hourCycle: 'h23' })
  if (!known) formats.set(timeZone, format)
  return format.format(atMs).replace(' ', 'T')
}

/** The day of the week and the minute of the day on the wall clock of a zone. */
function clockOf(timeZone: string, atMs: number): { day: number; minute: number } {
  const text = wallText(timeZone, atMs)
  const [, date = '', hour, minute] = /^(.*)T(\d\d):(\d\d)/.exec(text) ?? []
  return { day: new Date(`${date}T00:00:00Z`).getUTCDay(), minute: Number(hour) * 60 + Number(minute) }
}

const offsetAt = (timeZone: string, atMs: number) => Date.parse(`${wallText(timeZone, atMs)}Z`) - atMs

/** The instants, to the minute, at which a zone's offset changes between two instants: searched by day, then more closely. */
export function offsetChangesOf(timeZone: string, fromMs: number, toMs: number): number[] {
  const changedWithin = (from: number, to: number, step: number) => {
    const starts: number[] = []
    let offset = offsetAt(timeZone, from)
    for (let at = from; at < to; at += step) {
      const next = offsetAt(timeZone, at + step)
      if (next !== offset) starts.push(at)
      offset = next
    }
    return starts
  }
  return changedWithin(fromMs, toMs, dayMs)
    .flatMap(day => changedWithin(day, day + dayMs, hourMs))
    .flatMap(hour => changedWithin(hour, hour + hourMs, minuteMs))
    .map(minute => minute + minuteMs)
}

const knownInstants = new Map<string, number[]>()

/**
 * The instants at which a zone's clock reads `text`, found by trying every possible offset: multiples of a quarter of an hour.
 */
function instantsOf(timeZone: string, text: string): number[] {
  const known = knownInstants.get(timeZone + text)
  if (known) return known
  const reading = Date.parse(`${text}Z`)
  const found: number[] = []
  for (let offset = -15 * hourMs; offset <= 15 * hourMs; offset += 15 * minuteMs)
    if (Date.parse(`${wallText(timeZone, reading - offset)}Z`) === reading) found.push(reading - offset)
  // The clock skips this time. It has two readings: by the offset of two days before, and by that of two days after.
  if (found.length === 0)
    for (const near of [reading - 2 * dayMs, reading + 2 * dayMs])
      found.push(reading - offsetAt(timeZone, near))
  knownInstants.set(timeZone + text, found)
  return found
}

/** Bounds as instants, with the reading that gives less access. */
export function boundsOf({ startsAt, expiresAt, timezone }: Schedule): {
  startsMs: number
  expiresMs: number
} {
  const readings = (text: string) =>
    /(Z|[+-]\d\d:\d\d)$/.test(text) ? [Date.parse(text)] : instantsOf(timezone, text)
  return {
    startsMs: startsAt === undefined ? -Infinity : Math.max(...readings(startsAt)),
    expiresMs: expiresAt === undefined ? Infinity : Math.min(...readings(expiresAt)),
  }
}

function isDayOf(schedule: Schedule, day: number): boolean {
  if (schedule.type === 'weekdays') return day !== 0 && day !== 6
  if (schedule.type === 'weekends') return day === 0 || day === 6
  return schedule.type !== 'custom' || schedule.daysOfWeek.includes(day)
}

const minuteOf = (clock: string) => Number(clock.split(':')[0]) * 60 + Number(clock.split(':')[1])

/** Whether the wall clock lies in a window of a day that the schedule names. */
function isInWindow(schedule: Schedule, atMs: number): boolean {
  if (schedule.type === 'always' || schedule.type === 'one-shot') return true
  const { day, minute } = clockOf(schedule.timezone, atMs)
  const isToday = isDayOf(schedule, day)
  if (!schedule.timeWindows) return isToday
  const wasYesterday = isDayOf(schedule, (day + 6) % 7)
  return schedule.timeWindows.some(({ from, to }) => {
    if (to === '23:59' || to === '00:00') return isToday && minute >= minuteOf(from)
    if (minuteOf(from) < minuteOf(to)) return isToday && minute >= minuteOf(from) && minute < minuteOf(to)
    return (isToday && minute >= minuteOf(from)) || (wasYesterday && minute < minuteOf(to))
  })
}

/** A checker of instants that has parsed the bounds once. It gives the index of the first schedule that allows, or -1. */
export function naiveDecision(schedules: readonly Schedule[]): (atMs: number) => number {
  const bounds = schedules.map(boundsOf)
  return atMs =>
    schedules.findIndex((schedule, index) => {
      const { startsMs, expiresMs } = bounds[index] ?? { startsMs: 0, expiresMs: 0 }
      return atMs >= startsMs && atMs < expiresMs && isInWindow(schedule, atMs)
    })
}
