// Schedules as they are sent: what their schema cannot say about them, and what they are answered as.

import { defaultTimezone, type Schedule, type ScheduleInput } from '@callgate/contract/rest/schedule'
import { boundForm, boundMs } from './bound.ts'
import { sentZone, type Zone } from './zone.ts'

type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string }
export type SchedulesRead =
  | { readonly ok: true; readonly schedules: readonly Schedule[] }
  | { readonly ok: false; readonly message: string }

const refuse = (message: string) => ({ ok: false, message }) as const
const accept = <T>(value: T) => ({ ok: true, value }) as const

/** Refuses windows of no length; the schema says the rest about windows. */
function refuseEmptyWindow({ timeWindows }: ScheduleInput, field: string) {
  const empty = (timeWindows ?? []).findIndex(({ from, to }) => from === to)
  if (empty < 0) return undefined
  return refuse(
    `${field}.timeWindows[${empty}].to must differ from its from; for the whole day leave timeWindows out, and a day ends at 00:00`,
  )
}

function readBounds(
  { startsAt, expiresAt }: ScheduleInput,
  zone: Zone,
  field: string,
): Read<{ startsAt?: string; expiresAt?: string }> {
  const startsMs = typeof startsAt === 'string' ? boundMs(startsAt, zone, 'startsAt') : -Infinity
  if (startsMs === undefined) return refuse(`${field}.startsAt must be ${boundForm}`)
  const expiresMs = typeof expiresAt === 'string' ? boundMs(expiresAt, zone, 'expiresAt') : Infinity
  if (expiresMs === undefined) return refuse(`${field}.expiresAt must be ${boundForm}`)
  if (expiresMs <= startsMs)
    return refuse(
      `${field}.expiresAt must be after startsAt; when both lie in the hour of a DST change, give them with an offset`,
    )
  return accept({
    ...(typeof startsAt === 'string' && { startsAt }),
    ...(typeof expiresAt === 'string' && { expiresAt }),
  })
}

function readSchedule(input: ScheduleInput, field: string): Read<Schedule> {
  const timezone = input.timezone ?? defaultTimezone
  const zone = sentZone(timezone)
  if (!zone)
    return refuse(`${field}.timezone must be the IANA name of a time zone, such as ${defaultTimezone}`)
  const refused = refuseEmptyWindow(input, field)
  if (refused) return refused
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
 * The schedules as they are stored and answered: with a zone, and only with the members that belong to their type. The
 * inputs fit their schema. A refusal's message names what is wrong from `field` on, for example
 * `accesses[0].schedules[1].expiresAt`, and says what would be right; it is for a `validation_error`.
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
