// Schedules as people write them in a cell: `weekdays 07:00-19:00; Fri,Sat 22:00-06:00`.

import type { Schedule } from '@callgate/contract/rest/schedule'

const dayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const types = ['always', 'weekdays', 'weekends'] as const

/** Whether words can say all of a schedule. Words have no bounds and no zone but the Space's. */
function isPlain({ expiresAt, startsAt, timezone, type }: Schedule, spaceTimezone: string): boolean {
  return (
    type !== 'one-shot' && startsAt === undefined && expiresAt === undefined && timezone === spaceTimezone
  )
}

function partOf(schedule: Schedule): string {
  const days =
    schedule.type === 'custom' ? schedule.daysOfWeek.map(day => dayNames[day]).join(',') : schedule.type
  const windows = 'timeWindows' in schedule ? (schedule.timeWindows ?? []) : []
  return [days, windows.map(({ from, to }) => `${from}-${to}`).join(',')]
    .filter(text => text !== '')
    .join(' ')
}

/** Schedules as a text that `scheduleInputs` can read back: in words, or as JSON where words cannot say them. */
export function scheduleText(schedules: readonly Schedule[], spaceTimezone: string): string {
  return schedules.every(schedule => isPlain(schedule, spaceTimezone))
    ? schedules.map(partOf).join('; ')
    : JSON.stringify(schedules)
}

/**
 * Names of days. A cell may abbreviate them to two letters or more: no abbreviation is ambiguous between English and Romanian.
 */
const fullNames = [
  ['sunday', 'duminica'],
  ['monday', 'luni'],
  ['tuesday', 'marti'],
  ['wednesday', 'miercuri'],
  ['thursday', 'joi'],
  ['friday', 'vineri'],
  ['saturday', 'sambata'],
]
const dayOf = (word: string) =>
  word.length < 2 ? -1 : fullNames.findIndex(names => names.some(name => name.startsWith(word)))

/** The words for every day, and for any time where no hours follow. */
const everyDay = ['always', 'everyday', 'daily', 'anytime', 'mereu', 'zilnic', 'oricand', 'infiecarezi']
const allDays = [0, 1, 2, 3, 4, 5, 6]

/** The days of a word: one day, or a run of them such as `mon-fri` and `fri-mon`; undefined where it is neither. */
function daysOf(word: string): readonly number[] | undefined {
  const [first = -1, last, ...others] = word.split('-').map(dayOf)
  if (first === -1 || last === -1 || others.length > 0) return undefined
  if (last === undefined) return [first]
  return Array.from({ length: ((last - first + 7) % 7) + 1 }, (_, place) => (first + place) % 7)
}

/** Hours such as `8:00-18:00`, and `22:00-24:00` as the dashboard writes it. The times are not checked here. */
function windowOf(word: string): object | undefined {
  const [from = '', to, ...others] = word.split('-').map(time => time.replace(/^(\d):/, '0$1:'))
  return to === undefined || others.length > 0 ? undefined : { from, to: to === '24:00' ? '00:00' : to }
}

/** Lower case, without accents, with one kind of dash and no blanks around it. */
const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[‐-―−]/gu, '-')
    // The lookbehind lets a match begin only at the first blank. Otherwise a long run would be tried from each of its blanks.
    .replace(/(?<!\s)\s*-\s*/g, '-')
    .replace(/\b(every day|any time|in fiecare zi)\b/g, words => words.replaceAll(' ', ''))

/** One part in words: days, then hours; undefined for any other text. */
function inputOf(part: string, timezone: string): object | undefined {
  const words = plain(part)
    .split(/[\s,]+/)
    .filter(word => word !== '')
  const begin = words.findIndex(word => /^\d/.test(word))
  const days = begin < 0 ? words : words.slice(0, begin)
  const timeWindows = begin < 0 ? undefined : words.slice(begin).map(windowOf)
  if (timeWindows?.includes(undefined)) return undefined
  const more = { ...(timeWindows && { timeWindows }), timezone }
  const [only = ''] = days
  if (days.length === 0 || (days.length === 1 && everyDay.includes(only)))
    return timeWindows ? { type: 'custom', daysOfWeek: allDays, ...more } : { type: 'always', timezone }
  const type = types.find(one => one === only)
  if (type && days.length === 1) return { type, ...more }
  const runs = days.map(daysOf)
  return runs.includes(undefined) ? undefined : { type: 'custom', daysOfWeek: runs.flat(), ...more }
}

/**
 * The schedules of a text, which must still be checked like those of a request; undefined where the text is neither words nor
 * JSON. An empty text is `always`.
 */
export function scheduleInputs(text: string, spaceTimezone: string): readonly unknown[] | undefined {
  if (text.trim().startsWith('[')) {
    try {
      return JSON.parse(text) as unknown[]
    } catch {
      return undefined
    }
  }
  const parts = (text.trim() === '' ? 'always' : text).split(';').filter(part => part.trim() !== '')
  const inputs = parts.map(part => inputOf(part, spaceTimezone))
  return inputs.includes(undefined) ? undefined : inputs
}
