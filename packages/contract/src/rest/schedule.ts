// Schedules: when an access opens its gate. Each type has its own members; one that a type does not know is refused.

import Type, { type Static } from 'typebox'
import { closed, nullable, words } from '../text.ts'

export const scheduleTypes = ['always', 'weekdays', 'weekends', 'custom', 'one-shot'] as const
export const ScheduleType = words(scheduleTypes, {
  description:
    'always: any time; weekdays: Monday to Friday; weekends: Saturday and Sunday; custom: the days of daysOfWeek; one-shot: a single time from startsAt to expiresAt',
})
export type ScheduleType = Static<typeof ScheduleType>

/** The zone of a schedule that names none (specification, section 2). */
export const defaultTimezone = 'Europe/Bucharest'

const clock = (description: string, example: string) =>
  Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description, examples: [example] })

export const TimeWindow = closed(
  {
    from: clock("HH:mm on the wall clock of the schedule's zone; the window includes it", '08:00'),
    to: clock('HH:mm; the window ends just before it. 23:59 and 00:00 both mean the end of the day', '18:00'),
  },
  {
    description: 'A window with from later than to crosses midnight and belongs to the day that it starts on',
  },
)
export type TimeWindow = Static<typeof TimeWindow>

const day = Type.Integer({ minimum: 0, maximum: 6, description: '0 is Sunday, 6 is Saturday' })
const daysDescription = 'Only for type custom, which needs it'
const windowsDescription = 'Only for weekdays, weekends and custom; the whole day when it is absent'
const bound = (description: string) =>
  Type.String({ maxLength: 64, description, examples: ['2026-12-24T08:00:00+02:00'] })

/** A schedule as it is answered: only the members that its type knows, and always a zone. */
export const Schedule = closed({
  type: ScheduleType,
  daysOfWeek: Type.Optional(Type.Array(day, { minItems: 1, maxItems: 7, description: daysDescription })),
  timeWindows: Type.Optional(
    Type.Array(TimeWindow, { minItems: 1, maxItems: 10, description: windowsDescription }),
  ),
  startsAt: Type.Optional(bound('Nothing is allowed before; as it was sent')),
  expiresAt: Type.Optional(bound('Nothing is allowed from then on; as it was sent')),
  timezone: Type.String({ description: 'IANA name', examples: [defaultTimezone] }),
})
export type Schedule = Static<typeof Schedule>

const withoutOffset = "an ISO 8601 date and time; without an offset it is wall clock in the schedule's zone"

/** A schedule as it is sent: null is as good as absent. What each type may have is checked by the cloud. */
export const ScheduleInput = closed({
  type: ScheduleType,
  // Repeated days are merged, so there may be more than seven.
  daysOfWeek: Type.Optional(nullable(Type.Array(day, { maxItems: 50, description: daysDescription }))),
  timeWindows: Type.Optional(
    nullable(Type.Array(TimeWindow, { maxItems: 10, description: windowsDescription })),
  ),
  startsAt: Type.Optional(nullable(bound(`Nothing is allowed before: ${withoutOffset}`))),
  expiresAt: Type.Optional(nullable(bound(`Nothing is allowed from then on: ${withoutOffset}`))),
  timezone: Type.Optional(
    nullable(
      Type.String({
        maxLength: 64,
        description: `IANA name; ${defaultTimezone} when it is absent`,
        examples: [defaultTimezone],
      }),
    ),
  ),
})
export type ScheduleInput = Static<typeof ScheduleInput>
