import fc from 'fast-check'
import { expect, it } from 'vitest'
import { depthOf, dipsBelow, equalRuns, knownRuns, linePath, rangeOf } from './stretches.ts'

const anyValues = fc.array(fc.option(fc.integer({ min: 3_000, max: 4_500 })), { maxLength: 60 })
const range = { low: 3_000, high: 4_500 }

it('draws no point where nothing is known, and a point for each known value', () => {
  fc.assert(
    fc.property(anyValues, values => {
      const drawn = new Set<number>()
      for (const [, x = ''] of linePath(values, range, 100).matchAll(/[ML]([\d.]+) /g))
        drawn.add(Math.floor(Number(x)))
      const known = values.flatMap((value, place) => (value === null ? [] : [place]))
      expect([...drawn]).toEqual(known)
    }),
  )
})

it('joins no two values over a gap', () => {
  expect(linePath([4_500, 3_000, null, 3_750, null, null, 4_500, 4_500], range, 100)).toBe(
    'M0.5 0.0L1.5 100.0M3 50.0H4M6.5 0.0L7.5 0.0',
  )
})

it('keeps every value in exactly one run', () => {
  fc.assert(
    fc.property(anyValues, values => {
      for (const runs of [knownRuns(values), equalRuns(values)]) {
        const again = new Array<number | null>(values.length).fill(null)
        for (const { first, values: known } of runs)
          for (const [place, value] of known.entries()) {
            expect(again[first + place]).toBeNull()
            again[first + place] = value
          }
        expect(again).toEqual(values)
      }
      for (const { values: alike } of equalRuns(values)) expect(new Set(alike).size).toBe(1)
    }),
  )
})

it('finds the lowest value of each dip', () => {
  expect(dipsBelow([4_000, 3_450, 3_430, 4_000, null, 3_490, null, 3_400], 3_500)).toEqual([
    { place: 2, value: 3_430 },
    { place: 5, value: 3_490 },
    { place: 7, value: 3_400 },
  ])
})

it('has room for every value', () => {
  fc.assert(
    fc.property(anyValues, values => {
      const wide = rangeOf(values, { low: 3_600, high: 4_000 }, 50)
      for (const value of values) {
        if (value === null) continue
        expect(depthOf(value, wide)).toBeGreaterThanOrEqual(0)
        expect(depthOf(value, wide)).toBeLessThanOrEqual(1)
      }
      expect(wide.low).toBeLessThanOrEqual(3_600)
      expect(wide.high).toBeGreaterThanOrEqual(4_000)
    }),
  )
})
