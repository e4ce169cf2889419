import type { Schedule } from '@callgate/contract/rest/schedule'
import { expect, it } from 'vitest'
import { nextAllowed } from './language.ts'

it('names the year of the next time when it is not this one, in the zone of the schedule', () => {
  const timezone = 'Europe/Bucharest'
  const from = (startsAt: string): readonly Schedule[] => [{ type: 'always', timezone, startsAt }]
  const nowMs = Date.parse('2026-11-21T10:00:00Z')
  expect(nextAllowed(from('2026-12-31T23:59'), nowMs, 'en')).toBe('Thursday 31 December at 23:59 EET')
  expect(nextAllowed(from('2028-01-01T08:00'), nowMs, 'en')).toBe('Saturday, 1 January 2028 at 08:00 EET')
  // In Bucharest the year is 2027 already.
  const newYearMs = Date.parse('2026-12-31T22:30:00Z')
  expect(nextAllowed(from('2027-05-01T08:00'), newYearMs, 'de')).toBe('Samstag, 1. Mai um 08:00 OESZ')
})
