// Compares Callgate's time zone rules with Node's, for tests: where they differ, and which release explains it.

import { zoneRules } from '@callgate/contract/time/zoneRules'
import { zoneOf } from './zone.ts'

/** Every name that IANA has, in its own case. */
export const allNames: readonly string[] = [
  ...zoneRules.zones.map(zone => zone.slice(0, zone.indexOf('|'))),
  ...zoneRules.links.map(link => link.slice(link.indexOf('|') + 1)),
]

/**
 * The changes after 1970 in the releases of the tz database since 2025c, as its NEWS say: a Node with older rules differs in
 * these zones, at any instant from the first to the last.
 */
export const changedZones: readonly {
  readonly release: string
  readonly what: string
  readonly from: string
  readonly to?: string
  readonly names: readonly string[]
}[] = [
  {
    release: '2026a',
    what: 'Moldova has changed its clocks at the times of the EU since 2022',
    from: '2022-03-27T00:00Z',
    names: ['Europe/Chisinau', 'Europe/Tiraspol'],
  },
  {
    release: '2026b',
    what: 'British Columbia stays at -07',
    from: '2026-11-01T09:00Z',
    names: ['America/Vancouver', 'Canada/Pacific'],
  },
  {
    release: '2026c',
    what: 'Alberta stays at -06',
    from: '2026-11-01T08:00Z',
    names: ['America/Edmonton', 'America/Yellowknife', 'Canada/Mountain'],
  },
  {
    release: '2026c',
    what: 'Morocco and Western Sahara stay at +00',
    from: '2026-09-20T01:00Z',
    names: ['Africa/Casablanca', 'Africa/El_Aaiun'],
  },
  {
    release: '2026d',
    what: 'The Northwest Territories stay at -06',
    from: '2026-11-01T08:00Z',
    names: ['America/Inuvik'],
  },
  {
    release: '2026d',
    what: 'the summer time of Colombia in 1992 began at 00:00',
    from: '1992-05-02T05:00Z',
    to: '1992-05-03T05:00Z',
    names: ['America/Bogota'],
  },
  {
    release: '2026d',
    what: 'the summer time of Iran in 1979 began a day earlier',
    from: '1979-05-25T20:30Z',
    to: '1979-05-26T20:30Z',
    names: ['Asia/Tehran', 'Iran'],
  },
  {
    release: '2026e',
    what: 'Manitoba stays at -05',
    from: '2026-11-01T07:00Z',
    names: ['America/Winnipeg', 'America/Rainy_River', 'Canada/Central'],
  },
  {
    release: '2026f',
    what: 'Cuba keeps its summer time in the winter from 2026 to 2027',
    from: '2026-11-01T05:00Z',
    to: '2027-03-14T05:00Z',
    names: ['America/Havana', 'Cuba'],
  },
]

/** The offset of a zone in Node, in milliseconds. Reads "1/1/1900, GMT+01:44:24": old offsets have seconds. */
export function nodeOffsets(name: string): (atMs: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
  return atMs => {
    const text = format.format(atMs)
    const [, sign, hours, minutes, seconds] = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text) ?? []
    const size = Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)
    return (sign === '-' ? -size : size) * 1_000
  }
}

/** The instants at which Node has another offset, out of the given ones and the edges of our periods between them. */
export function differences(name: string, fromMs: number, toMs: number, stepMs: number): number[] {
  const zone = zoneOf(name)
  if (!zone) throw new Error(`${name} is unknown`)
  const nodeOffset = nodeOffsets(name)
  const instants: number[] = []
  for (let atMs = fromMs; atMs < toMs; atMs += stepMs) instants.push(atMs)
  for (let edgeMs = zone.periodAt(fromMs).endMs; edgeMs < toMs; edgeMs = zone.periodAt(edgeMs).endMs)
    instants.push(edgeMs - 1, edgeMs)
  return instants.filter(atMs => zone.offsetMsAt(atMs) !== nodeOffset(atMs))
}

/** Why a Node with the rules of `nodeRelease` differs at an instant. */
export function reasonOf(name: string, atMs: number, nodeRelease: string): string | undefined {
  return changedZones.find(
    ({ from, names, release, to }) =>
      release > nodeRelease &&
      names.includes(name) &&
      atMs >= Date.parse(from) &&
      (to === undefined || atMs < Date.parse(to)),
  )?.what
}
