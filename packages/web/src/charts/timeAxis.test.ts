import fc from 'fast-check'
import { expect, it } from 'vitest'
import { zoneOf } from '../words/zone.ts'
import { placeOf, ticksOf } from './timeAxis.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const names = ['UTC', 'Europe/Bucharest', 'America/Santiago', 'Australia/Lord_Howe', 'Pacific/Apia']
const anyZone = fc.constantFrom(...names.map(zoneOf))
/** From 2010 to 2030. */
const anyMs = fc.integer({ min: 1_262_304_000_000, max: 1_893_456_000_000 })
const anyLength = fc.constantFrom(6 * hourMs, dayMs, 7 * dayMs, 30 * dayMs)

const wallTimes = (from: string, to: string, most: number) => {
  const axis = { fromMs: Date.parse(from), toMs: Date.parse(to) }
  return ticksOf(axis, zoneOf('Europe/Bucharest'), most).map(({ wallMs }) =>
    new Date(wallMs).toISOString().slice(5, 16),
  )
}

it('puts ticks at round times of the wall clock, also across a clock change', () => {
  expect(wallTimes('2026-03-20T12:32:00Z', '2026-03-21T12:32:00Z', 4)).toEqual([
    '03-20T18:00',
    '03-21T00:00',
    '03-21T06:00',
    '03-21T12:00',
  ])
  expect(wallTimes('2026-03-28T20:30:00Z', '2026-03-29T06:30:00Z', 4)).toEqual([
    '03-29T00:00',
    '03-29T06:00',
    '03-29T09:00',
  ])
  expect(wallTimes('2026-03-28T23:30:00Z', '2026-03-29T05:30:00Z', 8)).toEqual([
    '03-29T02:00',
    '03-29T04:00',
    '03-29T05:00',
    '03-29T06:00',
    '03-29T07:00',
    '03-29T08:00',
  ])
})

it('has some ticks, not too many, in order, on the axis, and round in the zone', () => {
  fc.assert(
    fc.property(anyZone, anyMs, anyLength, fc.integer({ min: 3, max: 8 }), (zone, fromMs, lengthMs, most) => {
      const axis = { fromMs, toMs: fromMs + lengthMs }
      const ticks = ticksOf(axis, zone, most)
      expect(ticks.length).toBeGreaterThan(0)
      expect(ticks.length).toBeLessThanOrEqual(most)
      let lastMs = fromMs - 1
      for (const { atMs, isDay, wallMs } of ticks) {
        expect(atMs).toBeGreaterThan(lastMs)
        expect(wallMs % hourMs).toBe(0)
        // Where a clock change skips midnight, the day begins later.
        if (isDay) expect(zone.wallMsAt(atMs)).toBeGreaterThanOrEqual(wallMs)
        else expect(zone.wallMsAt(atMs)).toBe(wallMs)
        expect(placeOf(atMs, axis)).toBeGreaterThanOrEqual(0)
        expect(placeOf(atMs, axis)).toBeLessThanOrEqual(1)
        lastMs = atMs
      }
    }),
  )
})
