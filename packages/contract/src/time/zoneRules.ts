// The rules of time zones as data: the tz database of IANA, in the form in which the package moment-timezone packs it.

// Node's own rules are only as new as the installed Node. A bundle reads this file from the folder of the program.
import packed from 'moment-timezone/data/packed/latest.json' with { type: 'json' }

export interface ZoneRules {
  /** The release of the tz database, such as `2026f`. */
  readonly version: string
  /** `name|abbreviations|offsets|indexes of the offsets, in order|when each ends|population` for each zone. */
  readonly zones: readonly string[]
  /** `zone|another name of the zone` for each further name. */
  readonly links: readonly string[]
}

/** The one set of rules for all schedules, and for the times in pages and mails. */
export const zoneRules: ZoneRules = packed

/** The rules that this version contains, and the day on which their package was released (ISO 8601). */
export const shippedRules = { version: '2026f', releasedOn: '2026-10-29' } as const

const dayMs = 86_400_000

/**
 * When rules become older than a year, in milliseconds since the epoch. For the shipped rules the day of the release is
 * known. For others only the year is known, from their version, and its last day counts. Undefined where the version names no
 * year.
 */
export function agedFromMs(version: string): number | undefined {
  const [year] = /^\d{4}(?=[a-z]+$)/.exec(version) ?? []
  if (year === undefined) return undefined
  const releasedOn = version === shippedRules.version ? shippedRules.releasedOn : `${year}-12-31`
  return Date.parse(`${releasedOn}T00:00:00Z`) + 366 * dayMs
}
