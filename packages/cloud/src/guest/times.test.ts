import type { Schedule } from '@callgate/contract/rest/schedule'
import { zoneRules } from '@callgate/contract/time/zoneRules'
import { describe, expect, it } from 'vitest'
import { texts } from './texts/texts.ts'
import { allowedUntil, dayTimeWords, distanceWords, endedAt, nextTime, type TimeContext } from './times.ts'

const timezone = 'Europe/Bucharest'
/** A Saturday noon in Bucharest. */
const nowMs = Date.parse('2026-11-21T10:00:00Z')
const en: TimeContext = { language: 'en', text: texts.en, nowMs }
const at = (time: string) => ({ atMs: Date.parse(time), timezone })
const from = (startsAt: string): readonly Schedule[] => [{ type: 'always', timezone, startsAt }]

describe('a time', () => {
  it('is written by its day: today, tomorrow, the weekday, the date, and the year when it is not this one', () => {
    const words = (time: string) => dayTimeWords(at(time), en)
    expect(words('2026-11-21T16:00Z')).toBe('18:00 today')
    expect(words('2026-11-21T23:30Z')).toBe('01:30 tomorrow')
    expect(words('2026-11-27T05:00Z')).toBe('07:00 Friday')
    expect(words('2026-11-28T05:00Z')).toBe('07:00 28 November')
    // In Bucharest the year is 2027 already.
    expect(words('2026-12-31T22:30Z')).toBe('00:30 1 January 2027')
    expect(dayTimeWords(at('2026-11-23T05:00Z'), { ...en, language: 'de', text: texts.de })).toBe(
      'Montag 07:00',
    )
  })

  it('at the end of a day is written as 24:00 of that day', () => {
    expect(dayTimeWords(at('2026-11-21T22:00Z'), en, true)).toBe('24:00 today')
    expect(dayTimeWords(at('2026-11-21T22:00Z'), en)).toBe('00:00 tomorrow')
  })

  it('is written as a distance within a day, never rounded to too soon', () => {
    expect(distanceWords(nowMs + 12_480_000, en)).toBe('in 3\u00a0h 28\u00a0min')
    expect(distanceWords(nowMs + 12_479_000, en)).toBe('in 3\u00a0h 28\u00a0min')
    expect(distanceWords(nowMs + 1, en)).toBe('in 1\u00a0min')
    expect(distanceWords(nowMs + 86_400_000, en)).toBeUndefined()
  })
})

describe('an access', () => {
  it('opens next in the zone of the schedule that allows it', () => {
    const zoned: Schedule = { type: 'always', timezone: 'Asia/Tokyo', startsAt: '2027-06-01T00:00' }
    const [later = zoned] = from('2026-12-31T23:59')
    expect(nextTime([zoned, later], Date.parse('2026-12-31T21:59Z'))).toEqual({
      ...at('2026-12-31T21:59Z'),
      at: '2026-12-31T21:59:00.000Z',
      rules: `Europe/Bucharest, tz ${zoneRules.version}`,
    })
    expect(nextTime(from('2026-01-01T00:00'), null)).toBeUndefined()
  })

  it('is open until its window ends, if it ever does', () => {
    const hours: Schedule = { type: 'weekends', timezone, timeWindows: [{ from: '08:00', to: '14:00' }] }
    expect(allowedUntil([hours], nowMs)).toEqual(at('2026-11-21T12:00Z'))
    expect(allowedUntil([{ type: 'always', timezone }], nowMs)).toBeUndefined()
    expect(allowedUntil([hours], nowMs + 86_400_000 / 2)).toBeUndefined()
  })

  it('ended with the last of its schedules, and on no day in the future', () => {
    const until = (expiresAt: string): Schedule => ({ type: 'always', timezone, expiresAt })
    expect(endedAt([until('2026-03-05T10:00:00Z'), until('2026-03-04T10:00:00Z')], nowMs)).toEqual(
      at('2026-03-05T10:00Z'),
    )
    expect(endedAt([until('2026-03-05T10:00:00Z'), { type: 'always', timezone }], nowMs)).toBeUndefined()
    // Sunday's window never comes, because the schedule expires on Sunday morning.
    const sunday: Schedule = {
      type: 'custom',
      daysOfWeek: [0],
      timeWindows: [{ from: '18:00', to: '20:00' }],
      timezone,
      expiresAt: '2026-11-22T08:00',
    }
    expect(endedAt([sunday], nowMs)).toBeUndefined()
  })
})
