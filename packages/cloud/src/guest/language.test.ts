import type { Schedule } from '@callgate/contract/rest/schedule'
import { zoneRules } from '@callgate/contract/time/zoneRules'
import { expect, it } from 'vitest'
import { nextAllowed } from './language.ts'

it('names the year of the next time when it is not this one, in the zone of the schedule', () => {
  const timezone = 'Europe/Bucharest'
  const from = (startsAt: string): readonly Schedule[] => [{ type: 'always', timezone, startsAt }]
  const nowMs = Date.parse('2026-11-21T10:00:00Z')
  expect(nextAllowed(from('2026-12-31T23:59'), nowMs, 'en')).toEqual({
    at: '2026-12-31T21:59:00.000Z',
    words: 'Thursday 31 December at 23:59 EET',
    rules: `Europe/Bucharest, tz ${zoneRules.version}`,
  })
  const nextYear = nextAllowed(from('2028-01-01T08:00'), nowMs, 'en')
  expect(nextYear?.words).toBe('Saturday, 1 January 2028 at 08:00 EET')
  // In Bucharest the year is 2027 already.
  const newYearMs = Date.parse('2026-12-31T22:30:00Z')
  expect(nextAllowed(from('2027-05-01T08:00'), newYearMs, 'de')?.words).toBe('Samstag, 1. Mai um 08:00 OESZ')
})
