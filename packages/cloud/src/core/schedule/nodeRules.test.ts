import { zoneRules } from '@callgate/contract/time/zoneRules'
import { describe, expect, it } from 'vitest'
import { allNames, changedZones, differences, reasonOf } from './nodeRules.kit.ts'
import { sentZone, zoneOf } from './zone.ts'

const dayMs = 86_400_000
const nodeRelease = process.versions['tz'] ?? ''
const endMs = Date.UTC(2110, 0)

describe('the rules, compared with those of Node', () => {
  it('are the same since 1970 in all zones but those that a release between the two has changed', () => {
    // A Node that is newer than the package cannot show that the package is right.
    if (nodeRelease > zoneRules.version) return
    const unexplained: string[] = []
    const differing = new Set<string>()
    for (const name of allNames)
      for (const atMs of differences(name, 0, endMs, 90 * dayMs)) {
        if (reasonOf(name, atMs, nodeRelease) === undefined)
          unexplained.push(`${name} ${new Date(atMs).toISOString()}`)
        else differing.add(name)
      }
    expect(unexplained).toEqual([])
    const changed = changedZones.filter(({ release }) => release > nodeRelease).flatMap(({ names }) => names)
    expect([...differing].sort()).toEqual([...new Set(changed)].sort())
  })

  it('know every name that Node knows', () => {
    const strangers = ['Europe/Nowhere', '+02:00', 'Mars/Base']
    const names = [...Intl.supportedValuesOf('timeZone'), ...allNames, ...strangers]
    expect(names.filter(name => !zoneOf(name))).toEqual(strangers)
    expect(allNames.length).toBeGreaterThanOrEqual(597)
  })

  /** Other names that Node accepted as zones when its rules were still used: abbreviations, and names that IANA has dropped. */
  const abbreviations =
    'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST'
  const dropped = ['US/Pacific-New', 'Canada/East-Saskatchewan']

  it.each([...abbreviations.split(' '), ...dropped])('know %s, which may be stored, as Node does', name => {
    const nowMs = Date.parse('2026-06-01T00:00Z')
    expect(differences(name, nowMs - 300 * dayMs, nowMs, 10 * dayMs)).toEqual([])
    expect(sentZone(name) !== undefined).toBe(dropped.includes(name))
  })

  it('know the zones of System V, which have no summer time in Node either', () => {
    const names = 'AST4 AST4ADT EST5 EST5EDT CST6 CST6CDT MST7 MST7MDT PST8 PST8PDT YST9 YST9YDT HST10'.split(
      ' ',
    )
    const januaryMs = Date.UTC(2026, 0)
    for (const name of names.map(zone => `SystemV/${zone}`)) {
      expect([name, differences(name, januaryMs, januaryMs + dayMs, dayMs)]).toEqual([name, []])
      expect(sentZone(name)).toBeUndefined()
    }
  })
})
