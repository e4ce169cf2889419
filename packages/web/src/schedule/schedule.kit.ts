// Any schedule that the contract accepts, for tests of the display of schedules.

import type { Schedule } from '@callgate/contract/rest/schedule'
import fc from 'fast-check'

const two = (value: number) => String(value).padStart(2, '0')
const clock = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.integer({ min: 0, max: 1439 }).map(at => `${two(Math.floor(at / 60))}:${two(at % 60)}`),
  },
  fc.constantFrom('00:00', '23:59'),
)
const timeWindows = fc.array(
  fc.record({ from: clock, to: clock }).filter(({ from, to }) => from !== to),
  { minLength: 1, maxLength: 4 },
)
const bound = (year: number) =>
  fc
    .tuple(
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 28 }),
      clock,
      fc.constantFrom('', ':00', ':30', ':59.999', ':59,5'),
      fc.constantFrom('', 'Z', '+02:00', '-11:30'),
    )
    .map(
      ([month, day, time, seconds, offset]) => `${year}-${two(month)}-${two(day)}T${time}${seconds}${offset}`,
    )
const bounds = {
  startsAt: bound(2025),
  expiresAt: bound(2027),
  timezone: fc.constantFrom('Europe/Bucharest', 'Asia/Kathmandu', 'America/St_Johns'),
}
const week = { ...bounds, timeWindows }
const daysOfWeek = fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 })

/** A record in which all members except these may be absent. */
const requiredKeys = ['type', 'timezone'] as const

/** The compiler checks each form against the contract's. */
export const anySchedule: fc.Arbitrary<Schedule> = fc.oneof(
  fc.record({ type: fc.constant('always' as const), ...bounds }, { requiredKeys: [...requiredKeys] }),
  fc.record({ type: fc.constant('one-shot' as const), ...bounds }, { requiredKeys: [...requiredKeys] }),
  fc.record({ type: fc.constant('weekdays' as const), ...week }, { requiredKeys: [...requiredKeys] }),
  fc.record({ type: fc.constant('weekends' as const), ...week }, { requiredKeys: [...requiredKeys] }),
  fc.record(
    { type: fc.constant('custom' as const), daysOfWeek, ...week },
    { requiredKeys: [...requiredKeys, 'daysOfWeek'] },
  ),
)
