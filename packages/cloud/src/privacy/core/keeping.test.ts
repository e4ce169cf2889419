import { keepings, readKeeping, usualKeeping } from '@callgate/contract/keeping'
import { expect, it } from 'vitest'
import { keptSinceMs } from './keeping.ts'

const since = (keeping: string, now: string) => new Date(keptSinceMs(keeping, Date.parse(now))).toISOString()

it.each([
  ['P12M', '2026-11-22T18:30:00.500Z', '2025-11-22T18:30:00.500Z'],
  ['P1M', '2026-03-31T10:00:00.000Z', '2026-02-28T10:00:00.000Z'],
  ['P12M', '2028-02-29T10:00:00.000Z', '2027-02-28T10:00:00.000Z'],
  ['P36M', '2026-01-01T00:00:00.000Z', '2023-01-01T00:00:00.000Z'],
  ['P90D', '2026-03-31T10:00:00.000Z', '2025-12-31T10:00:00.000Z'],
])('keeps %s of %s from %s on', (keeping, now, first) => {
  expect(since(keeping, now)).toBe(first)
})

it('accepts 90 days and 1 to 36 months, each longer than the previous one', () => {
  expect(keepings).toHaveLength(37)
  expect(keepings).toContain(usualKeeping)
  expect(readKeeping('P90D')).toEqual({ count: 90, unit: 'days' })
  const nowMs = Date.parse('2026-07-31T12:00:00Z')
  const months = keepings.slice(1).map(keeping => keptSinceMs(keeping, nowMs))
  expect(months).toEqual([...months].sort((a, b) => b - a))
})
