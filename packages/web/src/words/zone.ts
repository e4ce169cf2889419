// The wall clock of a zone: its time at an instant, and the instants of times and days, by the browser's own rules.

import { wallFormat } from './time.ts'

const dayMs = 86_400_000

/** Wall times are milliseconds since 1970 as the wall clock counts them: `2026-03-29 00:00` is a multiple of a day. */
export interface Zone {
  /** The wall clock at an instant. */
  wallMsAt(atMs: number): number
  /** The first instant at which the wall clock shows this; undefined where a clock change skips it. */
  instantOf(wallMs: number): number | undefined
  /** The instant at which the day of this wall time begins, also where a clock change skips midnight. */
  startOfDay(wallMs: number): number
}

/** No two offsets of a zone within two days differ by more. */
const mostOffsetMs = 26 * 3_600_000

/** `name`: an IANA name, such as `Europe/Bucharest`. */
export function zoneOf(name: string): Zone {
  const format = wallFormat(name)

  function wallMsAt(atMs: number): number {
    const [month, day, year, hour, minute, second] = format
      .formatToParts(atMs)
      .flatMap(({ type, value }) => (type === 'literal' ? [] : [Number(value)]))
    const wall = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second)
    return wall + (((atMs % 1000) + 1000) % 1000)
  }

  const offsetAt = (atMs: number) => wallMsAt(atMs) - atMs

  function instantOf(wallMs: number): number | undefined {
    const offsets = [wallMs - dayMs, wallMs, wallMs + dayMs].map(offsetAt)
    const instants = offsets.map(offset => wallMs - offset).filter(atMs => wallMsAt(atMs) === wallMs)
    return instants.length === 0 ? undefined : Math.min(...instants)
  }

  /** The first instant of a range at which the wall clock shows this or later, where it only goes forward. */
  function firstFrom(wallMs: number): number {
    let before = wallMs - mostOffsetMs
    let after = wallMs + mostOffsetMs
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (wallMsAt(middle) >= wallMs) after = middle
      else before = middle
    }
    return after
  }

  return {
    wallMsAt,
    instantOf,
    startOfDay(wallMs) {
      const midnight = Math.floor(wallMs / dayMs) * dayMs
      return instantOf(midnight) ?? firstFrom(midnight)
    },
  }
}

/** `2026-03-29` of a wall time. */
export function dateOf(wallMs: number): string {
  return new Date(wallMs).toISOString().slice(0, 10)
}

/** The wall time at which a date begins; undefined where it is no date. */
export function wallOfDate(date: string): number | undefined {
  const wallMs = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN
  return Number.isFinite(wallMs) && dateOf(wallMs) === date ? wallMs : undefined
}
