import fc from 'fast-check'
import { expect, it } from 'vitest'
import { barsOf, countedClasses, sumOf, totalOf } from './dayBars.ts'

const anyCount = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 5_000 }))
const anyDay = fc.record({
  date: fc.constant('2026-03-20'),
  opened: anyCount,
  didNotOpen: anyCount,
  unknown: anyCount,
  denied: anyCount,
})

it('draws a part for each class that occurred, and only for those, on the chart and without overlap', () => {
  fc.assert(
    fc.property(fc.array(anyDay, { minLength: 1, maxLength: 30 }), days => {
      const bars = barsOf(days, 70)
      for (const [place, parts] of bars.entries()) {
        const day = days[place]
        const kinds = countedClasses.filter(kind => day && day[kind] > 0)
        expect(parts.map(({ kind }) => kind)).toEqual(kinds)
        let bottom = 70
        for (const { height, top } of parts) {
          expect(height).toBeGreaterThanOrEqual(3)
          expect(top).toBeGreaterThanOrEqual(0)
          expect(top + height).toBeLessThanOrEqual(bottom + 1e-9)
          bottom = top
        }
      }
    }),
  )
})

it('adds up the days', () => {
  const day = { date: '2026-03-20', opened: 5, didNotOpen: 2, unknown: 1, denied: 3 }
  const sum = sumOf([day, day])
  expect(sum).toEqual({ opened: 10, didNotOpen: 4, unknown: 2, denied: 6 })
  expect(totalOf(sum)).toBe(22)
})
