// The bars of a week: the hours of a schedule, in rows of days over 30 hours, so that a night stays in one piece.

import type { TimeWindow } from '@callgate/contract/rest/schedule'
import { daysOf, type ScheduleForm, timeTyped, weekDays, windowsOf } from './scheduleForm.ts'

export const dayMinutes = 24 * 60
/** A row ends at six in the morning after. */
export const rowMinutes = 30 * 60

export interface Bar {
  /** 0 is Sunday: the row. */
  readonly day: number
  /** From midnight of the row's day, [from, to): up to the end of the row. */
  readonly from: number
  readonly to: number
  /** It began on the day before, in whose row it is shown as well. */
  readonly isCarried: boolean
  /** Its label: the beginning and the end by the clock. */
  readonly starts: string
  readonly ends: string
}

interface Stretch {
  readonly from: number
  readonly to: number
}

const minuteOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

/** `90` → `01:30`, on whichever day. */
export function clockOf(minute: number): string {
  const ofDay = minute % dayMinutes
  return [Math.floor(ofDay / 60), ofDay % 60].map(part => String(part).padStart(2, '0')).join(':')
}

/** Minutes from the midnight of its day; undefined while it is being typed. 23:59 means the end of the day, like 00:00. */
function stretchOf({ from, to }: TimeWindow): Stretch | undefined {
  const [start, end] = [timeTyped(from), timeTyped(to)]
  if (start === undefined || end === undefined || start === end) return undefined
  const first = minuteOf(start)
  const last = end === '23:59' ? dayMinutes : minuteOf(end)
  return { from: first, to: last > first ? last : last + dayMinutes }
}

/** Merges stretches that overlap or touch. */
function joined(stretches: readonly Stretch[]): readonly Stretch[] {
  const whole: Stretch[] = []
  for (const stretch of stretches.toSorted((a, b) => a.from - b.from)) {
    const last = whole.at(-1)
    if (last && stretch.from <= last.to)
      whole[whole.length - 1] = { from: last.from, to: Math.max(last.to, stretch.to) }
    else whole.push(stretch)
  }
  return whole
}

/** The stretches of one day of a schedule, from its midnight on; one that ends after 24:00 runs into the next day. */
export function stretchesOf(form: ScheduleForm): readonly Stretch[] {
  const windows = windowsOf(form)
  if (windows.length === 0) return [{ from: 0, to: dayMinutes }]
  return joined(windows.map(stretchOf).filter(stretch => stretch !== undefined))
}

/**
 * The bars of a schedule, rows from Monday to Sunday. A window over midnight is a bar up to the end of its row, and a carried bar
 * in the next row. A single time belongs to no week, so it has no bar.
 */
export function barsOf(form: ScheduleForm): readonly Bar[] {
  if (form.repeats === 'one-shot') return []
  const days = new Set(daysOf(form))
  const stretches = stretchesOf(form)
  const overNight = stretches.filter(({ to }) => to > dayMinutes)
  return weekDays.flatMap(day => [
    ...(days.has((day + 6) % 7) ? overNight : []).map(({ from, to }) => ({
      day,
      from: 0,
      to: to - dayMinutes,
      isCarried: true,
      starts: clockOf(from),
      ends: clockOf(to),
    })),
    ...(days.has(day) ? stretches : []).map(({ from, to }) => ({
      day,
      from,
      to: Math.min(to, rowMinutes),
      isCarried: false,
      starts: clockOf(from),
      ends: to === dayMinutes ? '24:00' : clockOf(to),
    })),
  ])
}
