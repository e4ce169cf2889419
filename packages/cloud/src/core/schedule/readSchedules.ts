// Reads the schedules of a request: checks what their schema cannot check, and brings them to the form of the answer.

import { refuse } from '@callgate/contract/app/refusals'
import type { Problem } from '@callgate/contract/rest/problem'
import { defaultTimezone, type Schedule, type ScheduleInput } from '@callgate/contract/rest/schedule'
import { boundMs } from './bound.ts'
import { sentZone, type Zone } from './zone.ts'

interface Refused {
  readonly ok: false
  readonly problem: Problem
}
type Read<T> = { readonly ok: true; readonly value: T } | Refused
export type SchedulesRead = { readonly ok: true; readonly schedules: readonly Schedule[] } | Refused

const refused = (problem: Problem) => ({ ok: false, problem }) as const
const accept = <T>(value: T) => ({ ok: true, value }) as const

/** Refuses windows of no length; the schema checks everything else about windows. */
function refuseEmptyWindow({ timeWindows }: ScheduleInput, field: string) {
  const empty = (timeWindows ?? []).findIndex(({ from, to }) => from === to)
  if (empty < 0) return undefined
  return refused(refuse('schedule_window_empty', { field: `${field}.timeWindows[${empty}].to` }))
}

function readBounds(
  { startsAt, expiresAt }: ScheduleInput,
  zone: Zone,
  field: string,
): Read<{ startsAt?: string; expiresAt?: string }> {
  const startsMs = typeof startsAt === 'string' ? boundMs(startsAt, zone, 'startsAt') : -Infinity
  if (startsMs === undefined) return refused(refuse('schedule_bound', { field: `${field}.startsAt` }))
  const expiresMs = typeof expiresAt === 'string' ? boundMs(expiresAt, zone, 'expiresAt') : Infinity
  if (expiresMs === undefined) return refused(refuse('schedule_bound', { field: `${field}.expiresAt` }))
  if (expiresMs <= startsMs) return refused(refuse('schedule_order', { field: `${field}.expiresAt` }))
  return accept({
    ...(typeof startsAt === 'string' && { startsAt }),
    ...(typeof expiresAt === 'string' && { expiresAt }),
  })
}

function readSchedule(input: ScheduleInput, field: string): Read<Schedule> {
  const timezone = input.timezone ?? defaultTimezone
  const zone = sentZone(timezone)
  if (!zone) return refused(refuse('schedule_zone', { field: `${field}.timezone`, example: defaultTimezone }))
  const emptyWindow = refuseEmptyWindow(input, field)
  if (emptyWindow) return emptyWindow
  const bounds = readBounds(input, zone, field)
  if (!bounds.ok) return bounds
  const shared = { ...bounds.value, timezone }
  const { type } = input
  if (type === 'always' || type === 'one-shot') return accept({ type, ...shared })
  const week = { ...(input.timeWindows && { timeWindows: input.timeWindows }), ...shared }
  return accept(
    type === 'custom' ? { type, daysOfWeek: [...new Set(input.daysOfWeek)], ...week } : { type, ...week },
  )
}

/**
 * The schedules in the form in which they are stored and answered: with a zone, and only with the members of their type. The
 * inputs fit their schema. The problem names the wrong member from `field` on, for example `accesses[0].schedules[1].expiresAt`,
 * and says what would be right.
 */
export function readSchedules(inputs: readonly ScheduleInput[], field: string): SchedulesRead {
  const schedules: Schedule[] = []
  for (const [index, input] of inputs.entries()) {
    const read = readSchedule(input, `${field}[${index}]`)
    if (!read.ok) return read
    schedules.push(read.value)
  }
  return { ok: true, schedules }
}
