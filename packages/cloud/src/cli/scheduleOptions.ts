// The options for the times of an access, converted to schedules, and schedules in words.

import type { Schedule } from '@callgate/contract/rest/schedule'
import type { Options } from './commandWork.ts'

const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const everyDay = [0, 1, 2, 3, 4, 5, 6]

/** A day by its first three letters; another word stays as it is, and the schema refuses it. */
const dayOf = (word: string) => (days.includes(word) ? days.indexOf(word) : word)

function windowOf(text: string) {
  const [from, to, ...rest] = text.trim().split('-')
  return { from, ...(to !== undefined && { to: [to, ...rest].join('-') }) }
}

/**
 * The one schedule of the options, in the form of a request; undefined where none of them is given. The schema of the API checks
 * it. Hours without `--when` apply to every day.
 */
export function schedulesOf(
  { from, hours, timezone, until, when }: Options,
  spaceTimezone: string,
): readonly object[] | undefined {
  if ([from, hours, timezone, until, when].every(given => given === undefined)) return undefined
  const word = when ?? (hours === undefined ? 'always' : 'daily')
  const isType = ['always', 'weekdays', 'weekends'].includes(word)
  const daysOfWeek = word === 'daily' ? everyDay : word.split(',').map(day => dayOf(day.trim()))
  return [
    {
      ...(isType ? { type: word } : { type: 'custom', daysOfWeek }),
      ...(hours !== undefined && { timeWindows: hours.split(',').map(windowOf) }),
      ...(from !== undefined && { startsAt: from }),
      ...(until !== undefined && { expiresAt: until }),
      timezone: timezone ?? spaceTimezone,
    },
  ]
}

/** A schedule for a person: its days, hours and bounds, on the clock of its zone. */
export function sayWhen(schedule: Schedule): string {
  const { expiresAt, startsAt, timezone, type } = schedule
  const hours = 'timeWindows' in schedule ? (schedule.timeWindows ?? []) : []
  const isDaily = type === 'custom' && everyDay.every(day => schedule.daysOfWeek.includes(day))
  const week = type === 'custom' ? schedule.daysOfWeek.map(day => days[day]).join(',') : type
  return [
    isDaily ? 'daily' : week,
    ...hours.map(window => `${window.from}-${window.to}`),
    ...(startsAt === undefined ? [] : [`from ${startsAt}`]),
    ...(expiresAt === undefined ? [] : [`until ${expiresAt}`]),
    ...(type === 'always' && startsAt === undefined && expiresAt === undefined ? [] : [`(${timezone})`]),
  ].join(' ')
}
