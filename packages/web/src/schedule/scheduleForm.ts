// The form of a schedule: the values of its fields, and the schedule that they describe.

import type { Schedule, TimeWindow } from '@callgate/contract/rest/schedule'

export type Repeats = Schedule['type']
/** The choices in the order of display. */
export const repetitions: readonly Repeats[] = ['always', 'weekdays', 'weekends', 'custom', 'one-shot']

export interface ScheduleForm {
  readonly repeats: Repeats
  /** 0 is Sunday. In the order of the read schedule; kept while another repetition is chosen. */
  readonly days: readonly number[]
  /** The typed texts; none: the whole day. Kept while a repetition without hours is chosen. */
  readonly windows: readonly TimeWindow[]
  /** The read value, or the typed wall clock; empty: no limit. */
  readonly startsAt: string
  readonly expiresAt: string
  readonly timezone: string
}

/** Monday first, as a week is shown. */
export const weekDays = [1, 2, 3, 4, 5, 6, 0] as const

const hasWindows = (repeats: Repeats) => repeats !== 'always' && repeats !== 'one-shot'

/** The days on which the windows of a form begin. */
export function daysOf({ days, repeats }: Pick<ScheduleForm, 'days' | 'repeats'>): readonly number[] {
  if (repeats === 'weekdays') return [1, 2, 3, 4, 5]
  if (repeats === 'weekends') return [6, 0]
  return repeats === 'custom' ? days : weekDays
}

/** The effective windows; empty for the whole day. */
export function windowsOf({
  repeats,
  windows,
}: Pick<ScheduleForm, 'windows' | 'repeats'>): readonly TimeWindow[] {
  return hasWindows(repeats) ? windows : []
}

/** `7` → `07:00`, `730` → `07:30`, `24` → `00:00`; undefined for a text that is no time of day. */
export function timeTyped(text: string): string | undefined {
  const [, hours = '', minutes = '00'] = /^\s*(\d{1,2})(?:\s*[:.h]?\s*(\d\d))?\s*$/.exec(text) ?? []
  if (hours === '' || Number(minutes) > 59) return undefined
  if (hours === '24' && minutes === '00') return '00:00'
  return Number(hours) > 23 ? undefined : `${hours.padStart(2, '0')}:${minutes}`
}

const asTime = (text: string) => timeTyped(text) ?? text

/** The values of the fields for a schedule. */
export function formOf(schedule: Schedule): ScheduleForm {
  return {
    repeats: schedule.type,
    days: schedule.type === 'custom' ? schedule.daysOfWeek : daysOf({ repeats: schedule.type, days: [] }),
    windows: ('timeWindows' in schedule && schedule.timeWindows) || [],
    startsAt: schedule.startsAt ?? '',
    expiresAt: schedule.expiresAt ?? '',
    timezone: schedule.timezone,
  }
}

/** The schedule that the fields describe. An unchanged one is returned as it was read. */
export function scheduleOf(form: ScheduleForm): Schedule {
  const { days, expiresAt, repeats, startsAt, timezone } = form
  const bounds = { ...(startsAt !== '' && { startsAt }), ...(expiresAt !== '' && { expiresAt }), timezone }
  if (repeats === 'always' || repeats === 'one-shot') return { type: repeats, ...bounds }
  const timeWindows = form.windows.map(({ from, to }) => ({ from: asTime(from), to: asTime(to) }))
  const week = { ...(timeWindows.length > 0 && { timeWindows }), ...bounds }
  return repeats === 'custom' ? { type: repeats, daysOfWeek: [...days], ...week } : { type: repeats, ...week }
}

/** A new schedule: any time, until something else is chosen. */
export function newForm(timezone: string): ScheduleForm {
  return { repeats: 'always', days: [1, 2, 3, 4, 5], windows: [], startsAt: '', expiresAt: '', timezone }
}

/** One more schedule beside others: working hours, for a start. */
export function anotherForm(timezone: string): ScheduleForm {
  return { ...newForm(timezone), repeats: 'weekdays', windows: [{ from: '08:00', to: '18:00' }] }
}

/** Chooses another repetition. Working hours are the default where there are no hours yet. */
export function withRepeats(form: ScheduleForm, repeats: Repeats): ScheduleForm {
  const isFirst = !hasWindows(form.repeats) && hasWindows(repeats) && form.windows.length === 0
  return { ...form, repeats, ...(isFirst && { windows: [{ from: '08:00', to: '18:00' }] }) }
}

export type WindowProblem = 'noTime' | 'noLength'

export interface FormProblems {
  readonly days: boolean
  /** One entry for each window. */
  readonly windows: readonly (WindowProblem | undefined)[]
  /** A single time without an end goes on for ever. */
  readonly bounds: 'oneShotOpen' | 'order' | undefined
}

function windowProblem({ from, to }: TimeWindow): WindowProblem | undefined {
  const [start, end] = [timeTyped(from), timeTyped(to)]
  if (start === undefined || end === undefined) return 'noTime'
  return start === end ? 'noLength' : undefined
}

const isWall = (bound: string) => /^\d{4}-\d\d-\d\dT[\d:.,]+$/.test(bound)

function boundsProblem({ expiresAt, repeats, startsAt }: ScheduleForm): FormProblems['bounds'] {
  if (repeats === 'one-shot' && (startsAt === '' || expiresAt === '')) return 'oneShotOpen'
  // The cloud compares instants, because it has the rules of the zones.
  return isWall(startsAt) && isWall(expiresAt) && expiresAt.slice(0, 16) <= startsAt.slice(0, 16)
    ? 'order'
    : undefined
}

/** The errors that prevent a form from being a schedule. */
export function problemsOf(form: ScheduleForm): FormProblems {
  return {
    days: form.repeats === 'custom' && form.days.length === 0,
    windows: windowsOf(form).map(windowProblem),
    bounds: boundsProblem(form),
  }
}

export function isWhole(form: ScheduleForm): boolean {
  const { bounds, days, windows } = problemsOf(form)
  return !days && bounds === undefined && windows.every(problem => problem === undefined)
}
