import { expect, it } from 'vitest'
import {
  count,
  dayAndMonth,
  dayBeside,
  daysBack,
  dbm,
  deviceTime,
  seconds,
  timeOfDay,
  wallDay,
  wallOf,
} from './time.ts'

const style = { locale: 'en-GB', zone: 'Europe/Bucharest' }
const now = Date.parse('2026-03-28T10:00:00Z')

it('writes times in the zone of the Space', () => {
  expect(timeOfDay('2026-03-27T16:04:02.911Z', style)).toBe('18:04')
  // The clocks have gone forward.
  expect(timeOfDay('2026-03-29T16:04:02.911Z', style)).toBe('19:04')
  expect(deviceTime(Date.parse('2026-03-27T16:04:00Z'), 'en-GB')).toMatch(/^\d\d:04$/)
})

it('counts days by the calendar of the zone', () => {
  expect(daysBack('2026-03-28T00:30:00Z', now, style)).toBe(0)
  expect(daysBack('2026-03-27T21:30:00Z', now, style)).toBe(1)
  // In the zone it is already the next day.
  expect(daysBack('2026-03-27T22:30:00Z', now, style)).toBe(0)
})

it('names the year only where it differs', () => {
  expect(dayAndMonth('2026-02-02T12:00:00Z', now, style)).toBe('2 February')
  expect(dayAndMonth('2025-02-02T12:00:00Z', now, style)).toBe('2 February 2025')
  expect(dayAndMonth('2026-02-02T12:00:00Z', now, { ...style, locale: 'ro-RO' })).toBe('2 februarie')
})

it('writes figures by the rules of the language', () => {
  expect([count(1284, 'en-GB'), count(1284, 'ro-RO')]).toEqual(['1,284', '1.284'])
  expect([seconds(4_620, 'en-GB', 2), seconds(4_620, 'ro-RO')]).toEqual(['4.62 s', '4,6 s'])
  expect(dbm(-71)).toBe('−71 dBm')
})

it('reads the bounds of schedules as wall clocks of their zone', () => {
  expect(wallOf('2026-06-30T14:00', 'Asia/Kathmandu')).toBe('2026-06-30T14:00')
  expect(wallOf('2026-12-31T23:00:30+02:00', 'Europe/Bucharest')).toBe('2026-12-31T23:00')
  expect(wallOf('2026-06-30T21:30:00Z', 'Europe/Bucharest')).toBe('2026-07-01T00:30')
  expect(wallOf('2026-06-30T21:30:00Z', 'Not/AZone')).toBeUndefined()
  expect([dayBeside('2026-03-01', -1), dayBeside('2026-12-31', 1)]).toEqual(['2026-02-28', '2027-01-01'])
  expect(wallDay('2026-06-30T23:59', 'en-GB')).toBe('30 June')
})
