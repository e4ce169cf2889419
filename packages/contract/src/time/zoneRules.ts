// The rules of time zones as data: the tz database of IANA, in the form in which the package moment-timezone packs it.

// Node has rules too, but they are as old as the Node that is installed. A bundle reads this file from beside the program.
import packed from 'moment-timezone/data/packed/latest.json' with { type: 'json' }

export interface ZoneRules {
  /** The release of the tz database, such as `2026f`. */
  readonly version: string
  /** `name|abbreviations|offsets|which of the offsets, one after the other|until when|population` for each zone. */
  readonly zones: readonly string[]
  /** `zone|another name of it` for each further name. */
  readonly links: readonly string[]
}

/** The one set of rules that schedules, pages and mails are decided and written by. */
export const zoneRules: ZoneRules = packed

/** When the package with the rules that come with this version was released: a day of the calendar, ISO 8601. */
export const shippedRules = { version: '2026f', releasedOn: '2026-10-29' } as const

const dayMs = 86_400_000

/**
 * From when on rules are older than a year, milliseconds since the epoch. Of the shipped ones the day of the release is
 * known. Of others only the year is, from their version, so that the last day of that year counts. Undefined where the version
 * names no year.
 */
export function agedFromMs(version: string): number | undefined {
  const [year] = /^\d{4}(?=[a-z]+$)/.exec(version) ?? []
  if (year === undefined) return undefined
  const releasedOn = version === shippedRules.version ? shippedRules.releasedOn : `${year}-12-31`
  return Date.parse(`${releasedOn}T00:00:00Z`) + 366 * dayMs
}
