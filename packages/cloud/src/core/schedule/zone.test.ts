import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wallText } from './naiveSchedule.kit.ts'
import { createZones, instantOf, sentZone, type Zone, zoneOf } from './zone.ts'

function zone(name: string): Zone {
  const found = zoneOf(name)
  if (!found) throw new Error(`no ${name}`)
  return found
}

const at = (text: string) => Date.parse(text)
const hours = (count: number) => count * 3_600_000

describe('sentZone', () => {
  it.each(['Europe/Bucharest', 'europe/bucharest', 'UTC', 'Asia/Kolkata', 'Etc/GMT-14', 'CET', 'EST5EDT'])(
    'knows %s',
    name => {
      expect(sentZone(name)).toBeDefined()
    },
  )

  it.each(['', 'Europe/Nowhere', '+02:00', '-05:00', 'UTC+2', 'BST', 'ist', 'SystemV/EST5', ' UTC', 'local'])(
    'does not know %j',
    name => {
      expect(sentZone(name)).toBeUndefined()
    },
  )
})

describe('zoneOf', () => {
  it('gives one zone for all spellings and aliases of a name', () => {
    const name = 'europe/bucharest'
    const first = zone(name)
    // Varies the case of the first eleven characters, of which the slash has none: 1,024 spellings.
    for (let casing = 1; casing < 2 ** 11; casing++) {
      const letters = [...name].map((letter, at) => ((casing >> at) & 1 ? letter.toUpperCase() : letter))
      expect(zoneOf(letters.join(''))).toBe(first)
    }
    expect(zone('Turkey')).toBe(zone('Europe/Istanbul'))
  })

  it('finds an offset that lasts for a week', () => {
    const recife = zone('America/Recife')
    expect(recife.periodAt(at('2000-10-08T02:59:59.999Z')).offsetMs).toBe(hours(-3))
    expect(recife.periodAt(at('2000-10-12T00:00Z'))).toEqual({
      startMs: at('2000-10-08T03:00Z'),
      endMs: at('2000-10-15T02:00Z'),
      offsetMs: hours(-2),
    })
  })

  it.each(['Europe/Bucharest', 'Asia/Gaza', 'Asia/Kolkata'])('gives every instant its period in %s', name => {
    const known = zone(name)
    fc.assert(
      fc.property(fc.integer({ min: at('0001-01-01T00:00Z'), max: at('9999-12-31T00:00Z') }), atMs => {
        const { endMs, offsetMs, startMs } = known.periodAt(atMs)
        expect(startMs <= atMs && atMs < endMs).toBe(true)
        // Node knows no last year. Before the first change it rounds the local mean time.
        const wall = new Date(atMs + offsetMs).toISOString().slice(0, 19)
        if (startMs > -Infinity) expect(wall).toBe(wallText(name, atMs))
        const edges = [startMs - 1, endMs].filter(Number.isFinite)
        expect(edges.map(known.offsetMsAt)).not.toContain(offsetMs)
      }),
      { numRuns: 500, seed: 2499 },
    )
  })

  it('continues after the last year that the rules list', () => {
    const bucharest = zone('Europe/Bucharest')
    expect(bucharest.periodAt(at('2499-12-01T00:00Z'))).toEqual({
      startMs: at('2499-10-25T01:00Z'),
      endMs: at('2500-03-28T01:00Z'),
      offsetMs: hours(2),
    })
  })
})

it('rejects rules that cannot be read', () => {
  const zones = createZones({ zones: ['Test/One|A|Y|0||1'], links: ['Test/One|Test/Two'] })
  expect(() => zones.zoneOf('Test/Two')).toThrow('the rules of test/one cannot be read')
  expect(zones.zoneOf('Test/Three')).toBeUndefined()
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

  it('reverses the wall clock', () => {
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
