import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wallText } from './naiveSchedule.kit.ts'
import { instantOf, type Zone, zoneOf } from './zone.ts'

function zone(name: string): Zone {
  const found = zoneOf(name)
  if (!found) throw new Error(`no ${name}`)
  return found
}

const at = (text: string) => Date.parse(text)
const hours = (count: number) => count * 3_600_000

describe('zoneOf', () => {
  it.each(['Europe/Bucharest', 'europe/bucharest', 'UTC', 'Asia/Kolkata', 'Etc/GMT-14', 'CET', 'EST5EDT'])(
    'knows %s',
    name => {
      expect(zoneOf(name)).toBeDefined()
    },
  )

  it.each(['', 'Europe/Nowhere', '+02:00', '-05:00', 'UTC+2', 'BST', 'ist', 'SystemV/EST5', ' UTC', 'local'])(
    'does not know %j',
    name => {
      expect(zoneOf(name)).toBeUndefined()
    },
  )

  it('keeps one zone for all spellings and aliases of a name', () => {
    const name = 'europe/bucharest'
    const first = zone(name)
    // Eleven letters, of which the slash has one case: 1,024 names, more than are kept.
    for (let casing = 1; casing < 2 ** 11; casing++) {
      const letters = [...name].map((letter, at) => ((casing >> at) & 1 ? letter.toUpperCase() : letter))
      expect(zoneOf(letters.join(''))).toBe(first)
    }
    expect(zone('Turkey')).toBe(zone('Europe/Istanbul'))
  })

  it('reads the offset of an instant as its table has it', () => {
    const bucharest = zone('Europe/Bucharest')
    fc.assert(
      fc.property(fc.integer({ min: at('1900-01-01T00:00Z'), max: at('2100-01-01T00:00Z') }), atMs => {
        const { offsetMs } = bucharest.periodAt(atMs)
        bucharest.periodAt(0)
        return bucharest.offsetMsAt(atMs) === offsetMs
      }),
    )
  })

  it('knows the offset of every zone at any time', () => {
    const names = Intl.supportedValuesOf('timeZone')
    expect(names.length).toBeGreaterThan(400)
    const anyHour = fc.integer({
      min: at('1900-01-01T00:00Z') / hours(1),
      max: at('2100-01-01T00:00Z') / hours(1),
    })
    const instants = fc.sample(anyHour, { numRuns: names.length, seed: 1 }).map(hours)
    const wrong = names.filter((name, index) => {
      const atMs = instants[index] ?? 0
      const wall = new Date(atMs + zone(name).periodAt(atMs).offsetMs)
      return wall.toISOString().slice(0, 19) !== wallText(name, atMs)
    })
    expect(wrong).toEqual([])
    // Four hundred zones are quick to ask and slow to load.
  }, 120_000)

  it('finds an offset that lasts for a week', () => {
    const recife = zone('America/Recife')
    expect(recife.periodAt(at('2000-10-08T02:59:59.999Z')).offsetMs).toBe(hours(-3))
    expect(recife.periodAt(at('2000-10-12T00:00Z'))).toEqual({
      startMs: at('2000-10-08T03:00Z'),
      endMs: at('2000-10-15T02:00Z'),
      offsetMs: hours(-2),
    })
  })

  it('gives every instant a period that holds it', () => {
    const bucharest = zone('Europe/Bucharest')
    fc.assert(
      fc.property(fc.integer({ min: at('0001-01-01T00:00Z'), max: at('9999-12-31T00:00Z') }), atMs => {
        const { startMs, endMs } = bucharest.periodAt(atMs)
        return startMs <= atMs && atMs < endMs
      }),
      { numRuns: 200 },
    )
  })
})

describe('instantOf', () => {
  const bucharest = zone('Europe/Bucharest')

  it.each([
    ['Europe/Bucharest', '2026-06-01T08:00Z', '2026-06-01T05:00Z', '2026-06-01T05:00Z'],
    ['Europe/Bucharest', '2026-10-25T03:30Z', '2026-10-25T00:30Z', '2026-10-25T01:30Z'],
    ['Europe/Bucharest', '2026-03-29T03:30Z', '2026-03-29T00:30Z', '2026-03-29T01:30Z'],
    ['Europe/Bucharest', '2026-03-29T04:00Z', '2026-03-29T01:00Z', '2026-03-29T01:00Z'],
    ['Pacific/Apia', '2011-12-30T12:00Z', '2011-12-29T22:00Z', '2011-12-30T22:00Z'],
    ['Pacific/Apia', '2011-12-31T00:00Z', '2011-12-30T10:00Z', '2011-12-30T10:00Z'],
  ])('%s reads %s', (name, wall, earlier, later) => {
    const read = (which: 'earlier' | 'later') => instantOf(at(wall), zone(name), which)
    expect([read('earlier'), read('later')]).toEqual([at(earlier), at(later)])
  })

  it('undoes the wall clock', () => {
    fc.assert(
      fc.property(fc.integer({ min: at('2020-01-01T00:00Z'), max: at('2030-01-01T00:00Z') }), atMs => {
        const wallMs = atMs + bucharest.periodAt(atMs).offsetMs
        expect([instantOf(wallMs, bucharest, 'earlier'), instantOf(wallMs, bucharest, 'later')]).toContain(
          atMs,
        )
      }),
    )
  })
})
