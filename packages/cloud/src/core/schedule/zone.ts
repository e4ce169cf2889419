// Time zones: a zone's offset from UTC at an instant, from a table that fills itself out of Intl.

const secondMs = 1_000
const dayMs = 86_400_000
/**
 * How far apart the offset is looked at. No zone has ever kept an offset for less than 3 days and 23 hours (Freetown,
 * 1939; since 1970 Recife's 7 days less an hour, which Gaza will have in 2040), so nothing happens unseen in between.
 */
const lookMs = 3 * dayMs
/**
 * A table holds this much, and is made when an instant within it is first asked for. It is short, because anybody may
 * send a schedule that begins in any year, and each table costs many questions to Intl.
 */
const tableMs = 57 * dayMs
const maxTables = 350
/** There are some 600 names, all spellings by case taken together. */
const maxZones = 1_000

/** A stretch of time with one offset. Milliseconds; the end is exclusive. What goes on may be cut in two. */
export interface Period {
  readonly startMs: number
  readonly endMs: number
  /** Wall clock = UTC + offset. */
  readonly offsetMs: number
}

export interface Zone {
  /** The period that an instant lies in. */
  periodAt(atMs: number): Period
  /** The offset at an instant. Makes no table, so that it is cheap for an instant that nobody asks for again. */
  offsetMsAt(atMs: number): number
}

/**
 * ICU's own abbreviations, which are no IANA names, so that another runtime refuses them or reads them otherwise:
 * British summer time would silently be Dhaka's.
 */
const foreignNames =
  /^(ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST|SystemV\/.*)$/i

interface OffsetReader {
  /** The zone's own name, which its aliases share. */
  readonly canonicalName: string
  offsetAt(atMs: number): number
}

/** Reads "1/1/1900, GMT+01:44:24" for an instant: offsets before standard time have seconds. */
function offsetReader(name: string): OffsetReader | undefined {
  // A name has no sign at its beginning; newer runtimes take +02:00 for a zone, which knows no DST.
  if (foreignNames.test(name) || !/^[A-Za-z]/.test(name)) return undefined
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
    const offsetAt = (atMs: number) => {
      const [, sign, hours, minutes, seconds] =
        /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(format.format(atMs)) ?? []
      const size = Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)
      return (sign === '-' ? -size : size) * secondMs
    }
    return { canonicalName: format.resolvedOptions().timeZone, offsetAt }
  } catch {
    return undefined
  }
}

/** The first instant after `startMs` with another offset; `endMs` when there is none before. All are whole seconds. */
function offsetEnd(offsetAt: (atMs: number) => number, startMs: number, endMs: number): number {
  const offsetMs = offsetAt(startMs)
  let same = startMs
  let next = Math.min(startMs + lookMs, endMs)
  while (next < endMs && offsetAt(next) === offsetMs) {
    same = next
    next = Math.min(next + lookMs, endMs)
  }
  if (offsetAt(next) === offsetMs) return next
  while (next - same > secondMs) {
    const middle = same + Math.floor((next - same) / 2 / secondMs) * secondMs
    if (offsetAt(middle) === offsetMs) same = middle
    else next = middle
  }
  return next
}

function makeTable(offsetAt: (atMs: number) => number, index: number): readonly Period[] {
  const periods: Period[] = []
  const tableEndMs = (index + 1) * tableMs
  for (let startMs = index * tableMs; startMs < tableEndMs; ) {
    const endMs = offsetEnd(offsetAt, startMs, tableEndMs)
    periods.push({ startMs, endMs, offsetMs: offsetAt(startMs) })
    startMs = endMs
  }
  return periods
}

function makeZone(offsetAt: (atMs: number) => number): Zone {
  const tables = new Map<number, readonly Period[]>()
  // Most questions are about now.
  let last: Period = { startMs: 0, endMs: 0, offsetMs: 0 }
  const isLast = (atMs: number) => atMs >= last.startMs && atMs < last.endMs

  return {
    offsetMsAt: atMs => (isLast(atMs) ? last.offsetMs : offsetAt(atMs)),
    periodAt(atMs) {
      if (isLast(atMs)) return last
      const index = Math.floor(atMs / tableMs)
      let table = tables.get(index)
      if (!table) {
        table = makeTable(offsetAt, index)
        if (tables.size >= maxTables) tables.clear()
        tables.set(index, table)
      }
      for (const period of table) {
        if (atMs < period.endMs) {
          last = period
          break
        }
      }
      return last
    },
  }
}

/** What is already known: a memo of what Intl says. By names in small letters, the ones that were asked for included. */
const zones = new Map<string, Zone>()

/** The zone of an IANA name, in any case as IANA has it; undefined when there is none. Aliases are one zone. */
export function zoneOf(name: string): Zone | undefined {
  const key = name.toLowerCase()
  const known = zones.get(key)
  if (known) return known
  const reader = offsetReader(name)
  if (!reader) return undefined
  const canonicalKey = reader.canonicalName.toLowerCase()
  const zone = zones.get(canonicalKey) ?? makeZone(reader.offsetAt)
  if (zones.size >= maxZones) zones.clear()
  zones.set(canonicalKey, zone)
  zones.set(key, zone)
  return zone
}

/**
 * The instant at which the zone's wall clock reads `wallMs` (the milliseconds of the same reading in UTC). A reading that
 * occurs twice, or that a DST change leaves out, has two candidates, by the offset before and the one after: `which`
 * picks one.
 */
export function instantOf(wallMs: number, zone: Zone, which: 'earlier' | 'later'): number {
  // Offsets are smaller than a day, and no two changes are within two days of each other.
  const candidates = [wallMs - dayMs, wallMs + dayMs].map(near => wallMs - zone.offsetMsAt(near))
  const occurring = candidates.filter(atMs => atMs + zone.offsetMsAt(atMs) === wallMs)
  const readings = occurring.length > 0 ? occurring : candidates
  return which === 'earlier' ? Math.min(...readings) : Math.max(...readings)
}
