// Schedules as people write them in a cell: `weekdays 07:00-19:00; Fri,Sat 22:00-06:00`.

import type { Schedule } from '@callgate/contract/rest/schedule'

const dayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const types = ['always', 'weekdays', 'weekends'] as const

/** Whether the words can say all of a schedule. They have no bounds, and the zone is the Space's. */
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

/** Schedules as a text that `scheduleInputs` reads again: in words, or as JSON where words cannot say them. */
export function scheduleText(schedules: readonly Schedule[], spaceTimezone: string): string {
  return schedules.every(schedule => isPlain(schedule, spaceTimezone))
    ? schedules.map(partOf).join('; ')
    : JSON.stringify(schedules)
}

/** One part in words; undefined where it is none. The times are not judged here. */
function inputOf(part: string, timezone: string): object | undefined {
  const [, days = '', windows] = /^(\S+)(?:\s+(\S+))?$/.exec(part.trim()) ?? []
  const times = windows?.split(',').map(window => window.split('-'))
  if (times?.some(ends => ends.length !== 2)) return undefined
  const timeWindows = times?.map(([from, to]) => ({ from, to }))
  const more = { ...(timeWindows && { timeWindows }), timezone }
  const type = types.find(one => one === days.toLowerCase())
  if (type) return { type, ...more }
  const daysOfWeek = days
    .split(',')
    .map(day => dayNames.findIndex(name => name.toLowerCase() === day.toLowerCase()))
  return daysOfWeek.includes(-1) ? undefined : { type: 'custom', daysOfWeek, ...more }
}

/**
 * What a text says, still to be checked as schedules that were sent; undefined where it is neither words nor JSON. An
 * empty text is `always`.
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
