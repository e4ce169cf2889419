// Schedules: when an access opens its gate. Each type has its own members; a member of another type is refused.

import Type, { type Static, type TProperties, type TSchema } from 'typebox'
import { limits } from '../limits.ts'
import { closed, items, nullable, words } from '../text.ts'

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
// Repeated days are merged, so more than seven may be sent.
const daysOfWeek = (maxItems: number) =>
  Type.Array(day, { minItems: 1, maxItems, description: 'The days that it allows; only type custom has it' })
const timeWindows = Type.Array(TimeWindow, {
  ...items(limits.schedule.timeWindows),
  description: 'The whole day when it is absent; only weekdays, weekends and custom have it',
})
const bound = (description: string) =>
  Type.String({ maxLength: 64, description, examples: ['2026-12-24T08:00:00+02:00'] })

const meanings = {
  always: 'Any time',
  weekdays: 'Monday to Friday',
  weekends: 'Saturday and Sunday',
  custom: 'The days of daysOfWeek',
  'one-shot': 'A single time, from startsAt to expiresAt',
} as const

/** The schema of one type of schedule. It refuses the members of other types. */
function typed<const Name extends keyof typeof meanings, Members extends TProperties>(
  name: Name,
  members: Members,
) {
  return closed({ type: words([name], { description: meanings[name] }), ...members }, { title: name })
}

/** A union of such schemas. The member `type` selects one of them. */
function byType<const Forms extends readonly TSchema[]>(forms: Forms, description: string) {
  type Any = { [Place in keyof Forms]: Static<Forms[Place]> }[number]
  // With `discriminator` the validator checks a schedule against one schema instead of all five.
  const discriminator = { propertyName: 'type' }
  return Type.Unsafe<Any>({ type: 'object', description, discriminator, oneOf: forms })
}

const answered = {
  startsAt: Type.Optional(bound('Nothing is allowed before; as it was sent')),
  expiresAt: Type.Optional(bound('Nothing is allowed from then on; as it was sent')),
  timezone: Type.String({ description: 'IANA name', examples: [defaultTimezone] }),
}
const answeredWeek = { timeWindows: Type.Optional(timeWindows), ...answered }

/** A schedule in an answer: only the members of its type, and always a zone. */
export const Schedule = byType(
  [
    typed('always', answered),
    typed('weekdays', answeredWeek),
    typed('weekends', answeredWeek),
    typed('custom', { daysOfWeek: daysOfWeek(7), ...answeredWeek }),
    typed('one-shot', answered),
  ],
  'When an access opens its gate',
)
export type Schedule = Static<typeof Schedule>

const withoutOffset = "an ISO 8601 date and time; without an offset it is wall clock in the schedule's zone"
const bounds = {
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
}
// Null means absent. A request may also send null for a member of another type.
const noDays = { daysOfWeek: Type.Optional(Type.Null({ description: 'Only type custom has it' })) }
const noWindows = {
  timeWindows: Type.Optional(Type.Null({ description: 'Only weekdays, weekends and custom have it' })),
}
const sentOnce = { ...noDays, ...noWindows, ...bounds }
const sentWeek = { timeWindows: Type.Optional(nullable(timeWindows)), ...bounds }

/** A schedule in a request. The cloud checks its zone and its bounds. */
export const ScheduleInput = byType(
  [
    typed('always', sentOnce),
    typed('weekdays', { ...noDays, ...sentWeek }),
    typed('weekends', { ...noDays, ...sentWeek }),
    typed('custom', { daysOfWeek: daysOfWeek(50), ...sentWeek }),
    typed('one-shot', sentOnce),
  ],
  'When an access is to open its gate',
)
export type ScheduleInput = Static<typeof ScheduleInput>
