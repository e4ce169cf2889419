import { describe, expect, it } from 'vitest'
import { wallClockMs, zonedWords, zonedWordsAndClock, zoneWords } from './zonedTime.ts'

const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const atMs = Date.parse('2026-03-20T12:00Z')

describe('a local time in a zone', () => {
  it('has the abbreviation of the zone where Node computes the same local time', () => {
    expect(zonedWordsAndClock(atMs, 'Europe/Bucharest', 'en-GB', clock)).toBe('14:00 EET')
    expect(zonedWords(atMs, 'Asia/Kathmandu', 'en-GB', clock)).toBe('17:45')
  })

  it('has the offset where Node has other rules for the zone, or none', () => {
    // Node leaves this zone in winter until the end of April.
    expect(zonedWordsAndClock(atMs, 'SystemV/EST5EDT', 'en-GB', clock)).toBe('08:00 UTC-04:00')
  })

  it.each([
    ['Europe/Bucharest', 'en-GB', 'Eastern European Time'],
    ['Europe/Bucharest', 'uk', 'за східноєвропейським часом'],
    ['UTC', 'en-GB', 'UTC'],
    ['SystemV/EST5EDT', 'en-GB', 'UTC-04:00'],
  ])('names %s in %s: %s', (timezone, locale, words) => {
    expect(zoneWords(atMs, timezone, locale)).toBe(words)
  })

  it('uses rules that this Node may lack', () => {
    const winterMs = Date.parse('2026-12-01T16:00Z')
    expect(zonedWords(winterMs, 'America/Vancouver', 'en-GB', clock)).toBe('09:00')
    expect(zonedWords(winterMs, 'Africa/Casablanca', 'fr', clock)).toBe('16:00')
  })

  it('is not invented for an unknown zone', () => {
    expect(() => wallClockMs(atMs, 'Mars/Base')).toThrow(new RangeError('no time zone is called Mars/Base'))
  })
})
