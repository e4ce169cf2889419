// Time zones: a zone's offset from UTC at an instant, by the rules that Callgate carries as data.

import { type ZoneRules, zoneRules } from '@callgate/contract/time/zoneRules'
import { countUpTo } from './ascending.ts'
import { isFormerName, presentName } from './formerNames.ts'
import { readPackedZone, type ZoneChanges } from './packedZone.ts'

const dayMs = 86_400_000
/** The rules list the changes of all years up to this instant, and of the year that begins then. */
export const listedUpToMs = Date.UTC(2499, 0)
/** The calendar repeats after 400 years, weekdays included. So do the rules, which are the same every year by then. */
const cycleMs = 146_097 * dayMs

/** A span of time with one offset. Milliseconds; the end is exclusive. The first and the last are infinite. */
export interface Period {
  readonly startMs: number
  readonly endMs: number
  /** Wall clock = UTC + offset. */
  readonly offsetMs: number
}

export interface Zone {
  /** The period that contains an instant. */
  periodAt(atMs: number): Period
  /** The offset at an instant. */
  offsetMsAt(atMs: number): number
}

function listedPeriod({ atMs: changes, offsetsMs }: ZoneChanges, atMs: number): Period {
  const place = countUpTo(changes, atMs)
  return {
    startMs: changes[place - 1] ?? -Infinity,
    endMs: changes[place] ?? Infinity,
    // Not tested: no offset at this place; there is one more than the changes.
    offsetMs: offsetsMs[place] ?? 0,
  }
}

function makeZone(changes: ZoneChanges): Zone {
  const goesOn = (changes.atMs.at(-1) ?? -Infinity) >= listedUpToMs
  // A cache of the last period, because most questions are about now.
  let last: Period = { startMs: 0, endMs: 0, offsetMs: 0 }

  function periodAt(atMs: number): Period {
    if (atMs >= last.startMs && atMs < last.endMs) return last
    const laterMs = goesOn ? Math.max(0, Math.floor((atMs - listedUpToMs) / cycleMs) + 1) * cycleMs : 0
    const { endMs, offsetMs, startMs } = listedPeriod(changes, atMs - laterMs)
    last = { startMs: startMs + laterMs, endMs: endMs + laterMs, offsetMs }
    return last
  }

  return { periodAt, offsetMsAt: atMs => periodAt(atMs).offsetMs }
}

/** The zones of a set of rules, by name. A name may have any case. */
export interface Zones {
  /**
   * The zone of a name, also of one that only older versions accepted; undefined when there is none. Aliases give the same zone.
   */
  zoneOf(name: string): Zone | undefined
}

/** Reads rules. A zone is unpacked at its first use, and cached. Throws for a zone that cannot be read. */
export function createZones({ links, zones }: Pick<ZoneRules, 'zones' | 'links'>): Zones {
  const packed = new Map<string, string>()
  const targets = new Map<string, string>()
  const known = new Map<string, Zone>()
  for (const zone of zones) packed.set(zone.slice(0, zone.indexOf('|')).toLowerCase(), zone)
  for (const link of links) {
    const [target = '', name = ''] = link.toLowerCase().split('|')
    targets.set(name, target)
  }
  return {
    zoneOf(name) {
      const key = presentName(name).toLowerCase()
      const target = targets.get(key) ?? key
      const ready = known.get(target)
      if (ready) return ready
      const text = packed.get(target)
      if (text === undefined) return undefined
      const changes = readPackedZone(text)
      if (!changes) throw new Error(`the rules of ${target} cannot be read`)
      const zone = makeZone(changes)
      known.set(target, zone)
      return zone
    },
  }
}

const zones = createZones(zoneRules)

/** The zone of a stored name: an IANA name, or one that an older version accepted; undefined when there is none. */
export function zoneOf(name: string): Zone | undefined {
  return zones.zoneOf(name)
}

/** The zone of an IANA name in a request, in any case; undefined when there is none. Aliases give the same zone. */
export function sentZone(name: string): Zone | undefined {
  return isFormerName(name) ? undefined : zoneOf(name)
}

/**
 * The instant at which the zone's wall clock reads `wallMs` (the milliseconds of the same reading in UTC). A reading that occurs
 * twice, or that a DST change skips, has two candidates: by the offset before the change and by the one after. `which` chooses.
 */
export function instantOf(wallMs: number, zone: Zone, which: 'earlier' | 'later'): number {
  // Offsets are smaller than a day, and no two changes are within two days of each other.
  const candidates = [wallMs - dayMs, wallMs + dayMs].map(near => wallMs - zone.offsetMsAt(near))
  const occurring = candidates.filter(atMs => atMs + zone.offsetMsAt(atMs) === wallMs)
  const readings = occurring.length > 0 ? occurring : candidates
  return which === 'earlier' ? Math.min(...readings) : Math.max(...readings)
}
