import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dateOf, wallOfDate, zoneOf } from './zone.ts'

/** Zones with changes of an hour and of half an hour, at midnight, and with a skipped day. */
const names = [
  'UTC',
  'Europe/Bucharest',
  'America/New_York',
  'America/Santiago',
  'Australia/Lord_Howe',
  'Asia/Beirut',
  'Asia/Kathmandu',
  'Pacific/Apia',
]
const zones = names.map(name => ({ name, zone: zoneOf(name) }))
const anyZone = fc.constantFrom(...zones)
const dayMs = 86_400_000
/** From 2010 to 2030. */
const anyMs = fc.integer({ min: 1_262_304_000_000, max: 1_893_456_000_000 })

it('shows the wall clock of the zone', () => {
  const zone = zoneOf('Europe/Bucharest')
  const at = (text: string) => new Date(zone.wallMsAt(Date.parse(text))).toISOString().slice(0, 16)
  expect(at('2026-03-29T00:59:00Z')).toBe('2026-03-29T02:59')
  expect(at('2026-03-29T01:00:00Z')).toBe('2026-03-29T04:00')
  expect(at('2026-10-25T01:00:00Z')).toBe('2026-10-25T03:00')
})

it('finds the first instant of a wall time, and none of a skipped one', () => {
  const zone = zoneOf('Europe/Bucharest')
  const of = (wall: string) => zone.instantOf(Date.parse(`${wall}Z`))
  expect(of('2026-03-29T03:30')).toBeUndefined()
  expect(of('2026-10-25T03:30')).toBe(Date.parse('2026-10-25T00:30:00Z'))
})

it('begins a day at its first instant', () => {
  fc.assert(
    fc.property(anyZone, anyMs, ({ zone }, atMs) => {
      const wallMs = zone.wallMsAt(atMs)
      const startMs = zone.startOfDay(wallMs)
      expect(dateOf(zone.wallMsAt(startMs))).toBe(dateOf(wallMs))
      expect(zone.wallMsAt(startMs - 1)).toBeLessThan(Math.floor(wallMs / dayMs) * dayMs)
      expect(startMs).toBeLessThanOrEqual(atMs)
    }),
  )
})

it('finds the wall time of each instant again', () => {
  fc.assert(
    fc.property(anyZone, anyMs, ({ zone }, atMs) => {
      const instant = zone.instantOf(zone.wallMsAt(atMs))
      expect(instant).toBeLessThanOrEqual(atMs)
      expect(zone.wallMsAt(instant ?? 0)).toBe(zone.wallMsAt(atMs))
    }),
  )
})

it('takes dates only', () => {
  expect(wallOfDate('2026-03-29')).toBe(Date.parse('2026-03-29T00:00:00Z'))
  for (const text of ['2026-02-30', '2026-3-9', 'today', '']) expect(wallOfDate(text)).toBeUndefined()
})
