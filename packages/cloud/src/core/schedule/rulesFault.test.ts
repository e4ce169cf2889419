import { type ZoneRules, zoneRules } from '@callgate/contract/time/zoneRules'
import { describe, expect, it } from 'vitest'
import { rulesFault, rulesWarning } from './rulesFault.ts'

const names = ['Europe/Bucharest', 'Europe/Istanbul']
const changed = (change: Partial<ZoneRules>) => rulesFault({ ...zoneRules, ...change }, names)
/** The shipped rules with one zone's text replaced. */
const withZone = (name: string, text: (packed: string) => string) =>
  changed({ zones: zoneRules.zones.map(zone => (zone.startsWith(`${name}|`) ? text(zone) : zone)) })
/** Rules whose zones list changes up to an earlier year, like shorter builds of the same data. */
const shortened = zoneRules.zones.map(zone => {
  const [name, letters, offsets, indices = '', differences = '', people] = zone.split('|')
  const kept = differences.split(' ').slice(0, 100).filter(Boolean)
  return [name, letters, offsets, indices.slice(0, kept.length + 1), kept.join(' '), people].join('|')
})

describe('rules of time zones', () => {
  it('are accepted as they are shipped', () => {
    expect(rulesFault(zoneRules, Intl.supportedValuesOf('timeZone'))).toBeUndefined()
    expect(changed({ version: '2031a' })).toBeUndefined()
  })

  it.each([
    ['no release', { version: 'latest' }, /^their version is latest, not a release/],
    ['a shorter build', { zones: shortened }, /^they end too early/],
    [
      'fewer zones',
      { zones: zoneRules.zones.filter(zone => !/^Europe.Bu/.test(zone)) },
      /Europe\/Bucharest is missing/,
    ],
    [
      'fewer links',
      { links: [], zones: zoneRules.zones.filter(zone => !/Istanbul/.test(zone)) },
      /Istanbul is missing/,
    ],
    ['a link to nothing', { links: [...zoneRules.links, 'Mars/Base|Base'] }, /Base is missing/],
    ['what is no text', { zones: [7 as unknown as string] }, /^the zone 7 cannot be read/],
  ])('with %s are refused', (_, change, fault) => {
    expect(changed(change)).toMatch(fault)
  })

  it.each([
    ['a letter that is no digit', (zone: string) => zone.replace('|0', '|Z')],
    ['a change too many', (zone: string) => zone.replace(/\|([^|]*)$/, ' 1|$1')],
    ['a change back in time', (zone: string) => zone.replace(/ (\w+)\|([^|]*)$/, ' -$1|$2')],
    ['an offset that is not there', (zone: string) => zone.replace(/\|0/, '|X')],
    ['nothing but a name', (zone: string) => zone.slice(0, zone.indexOf('|'))],
  ])('with %s in a zone are refused', (_, change) => {
    expect(withZone('Europe/Bucharest', change)).toBe(
      `the zone ${change(zoneRules.zones.find(zone => zone.startsWith('Europe/Bucharest|')) ?? '').slice(0, 40)} cannot be read`,
    )
  })

  it('cause a warning when they are older than a year by the day of their release', () => {
    expect(rulesWarning('2026f', Date.parse('2027-10-29T23:59:59.999Z'))).toBeUndefined()
    expect(rulesWarning('2026f', Date.parse('2027-10-30T00:00Z'))).toMatch(
      /^The rules of the time zones, tz 2026f, are older than a year/,
    )
  })
})
