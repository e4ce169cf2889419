import { expect, it } from 'vitest'
import { lastDays } from './days.ts'

const hours = (days: ReturnType<typeof lastDays>) =>
  days.map(({ endsMs, startsMs }) => (endsMs - startsMs) / 3_600_000)

it('have 23 and 25 hours where the clocks change, and no gap between two days', () => {
  const days = lastDays(Date.parse('2026-03-29T21:30:00Z'), 'Europe/Bucharest', 3)
  // It is 00:30 on the 30th in that zone.
  expect(days.map(({ date }) => date)).toEqual(['2026-03-28', '2026-03-29', '2026-03-30'])
  expect(hours(days)).toEqual([24, 23, 24])
  expect(days[1]?.startsMs).toBe(days[0]?.endsMs)
  expect(hours(lastDays(Date.parse('2026-10-25T12:00:00Z'), 'Europe/Bucharest', 1))).toEqual([25])
})

it('begin at the change where a clock change leaves midnight out, and at the first midnight of two', () => {
  // Beirut: on 29 March 2026 00:00 becomes 01:00. Havana: on 1 November 2026 01:00 becomes 00:00.
  expect(new Date(lastDays(Date.parse('2026-03-29T12:00:00Z'), 'Asia/Beirut', 1)[0]?.startsMs ?? 0)).toEqual(
    new Date('2026-03-28T22:00:00Z'),
  )
  expect(
    new Date(lastDays(Date.parse('2026-11-01T12:00:00Z'), 'America/Havana', 1)[0]?.startsMs ?? 0),
  ).toEqual(new Date('2026-11-01T04:00:00Z'))
})

it('throw for an unknown zone', () => {
  expect(() => lastDays(0, 'Europe/Atlantis', 1)).toThrow(RangeError)
})
