import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readInstant } from './instant.ts'

it.each([
  ['2026-01-05T08:00:00Z', '2026-01-05T08:00:00.000Z'],
  ['2026-01-05T08:00:00.25+02:00', '2026-01-05T06:00:00.250Z'],
  // Stored times have whole milliseconds, so this is the first one that is not earlier.
  ['2026-01-05T08:00:00.123456Z', '2026-01-05T08:00:00.124Z'],
  ['2026-01-05T08:00:00.123000Z', '2026-01-05T08:00:00.123Z'],
  ['2025-12-31T23:59:59.999001Z', '2026-01-01T00:00:00.000Z'],
  ['2026-02-30T00:00:00+99:99', undefined],
  ['2026-01-05T23:59:60Z', undefined],
  ['0000-01-01T00:00:00+01:00', undefined],
  ['9999-12-31T23:59:59.9999Z', undefined],
  ['', undefined],
  ['soon', undefined],
])('reads %s as %s', (text, instant) => {
  expect(readInstant(text)).toBe(instant)
})

it('reads every time that an answer contains', () => {
  const years = { min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z') }
  fc.assert(
    fc.property(fc.date({ ...years, noInvalidDate: true }), date => {
      expect(readInstant(date.toISOString())).toBe(date.toISOString())
    }),
  )
})
