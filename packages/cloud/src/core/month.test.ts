import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { monthOf } from './month.ts'

describe('a month', () => {
  it.each([
    ['Europe/Bucharest', '2026-01-31T21:59:59.999Z', '2025-12-31T22:00:00.000Z', '2026-01-31T22:00:00.000Z'],
    ['Europe/Bucharest', '2026-01-31T22:00:00.000Z', '2026-01-31T22:00:00.000Z', '2026-02-28T22:00:00.000Z'],
    // Summer time begins within the month, so its start and end have different offsets.
    ['Europe/Bucharest', '2026-03-15T00:00:00.000Z', '2026-02-28T22:00:00.000Z', '2026-03-31T21:00:00.000Z'],
    ['UTC', '2026-12-31T23:59:59.999Z', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    ['Asia/Kathmandu', '2026-05-31T18:15:00.000Z', '2026-05-31T18:15:00.000Z', '2026-06-30T18:15:00.000Z'],
    [
      'Pacific/Kiritimati',
      '2026-01-31T10:00:00.000Z',
      '2026-01-31T10:00:00.000Z',
      '2026-02-28T10:00:00.000Z',
    ],
    ['Pacific/Pago_Pago', '2026-02-01T10:59:59.999Z', '2026-01-01T11:00:00.000Z', '2026-02-01T11:00:00.000Z'],
  ])('of %s at %s', (timezone, now, startsAt, endsAt) => {
    expect(monthOf(Date.parse(now), timezone)).toEqual({ timezone, startsAt, endsAt })
  })

  it('holds its instant and begins where the previous one ends, in every zone', () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
    const instants = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2040, 0, 1) })
    fc.assert(
      fc.property(zones, instants, (timezone, nowMs) => {
        const month = monthOf(nowMs, timezone)
        expect(Date.parse(month.startsAt)).toBeLessThanOrEqual(nowMs)
        expect(Date.parse(month.endsAt)).toBeGreaterThan(nowMs)
        expect(monthOf(Date.parse(month.startsAt) - 1, timezone).endsAt).toBe(month.startsAt)
      }),
      { numRuns: 100 },
    )
  })

  it('is known for every zone that a Space may have, and for no other', () => {
    const nowMs = Date.UTC(2026, 10, 15)
    // Vancouver changed its rules: the clocks do not change on 1 November 2026.
    expect(monthOf(nowMs, 'America/Vancouver').endsAt).toBe('2026-12-01T07:00:00.000Z')
    // Node reads this name as Dhaka, and a Space could be created with it.
    expect(monthOf(nowMs, 'BST').endsAt).toBe('2026-11-30T18:00:00.000Z')
    expect(() => monthOf(0, 'Mars/Base')).toThrow(new RangeError('no time zone is called Mars/Base'))
  })
})
