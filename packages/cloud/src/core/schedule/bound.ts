// Bounds: converts startsAt and expiresAt to an instant.

import { instantOf, type Zone } from './zone.ts'

const form =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/

/** `+02:00` → milliseconds. */
function offsetOf(text: string): number {
  if (text === 'Z') return 0
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(4))
  return (text.startsWith('-') ? -minutes : minutes) * 60_000
}

/**
 * Milliseconds since the epoch for an ISO 8601 date and time; undefined for any other form. A bound without an offset is on the
 * wall clock of `zone`; where a DST change gives it two readings, the one with less access counts. Fractions finer than a
 * millisecond are rounded up, which is exact for instants of whole milliseconds.
 */
export function boundMs(text: string, zone: Zone, kind: 'startsAt' | 'expiresAt'): number | undefined {
  const [, date, hours, minutes, seconds, fraction, offset] = form.exec(text) ?? []
  if (date === undefined) return undefined
  const midnight = Date.parse(`${date}T00:00:00Z`)
  // 30 February: some engines parse it as 2 March, others reject it.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(date)) return undefined
  const wallMs =
    midnight +
    Number(hours) * 3_600_000 +
    Number(minutes) * 60_000 +
    Number(seconds ?? 0) * 1_000 +
    Math.ceil(Number((fraction ?? '').padEnd(9, '0')) / 1_000_000)
  return offset === undefined
    ? instantOf(wallMs, zone, kind === 'startsAt' ? 'later' : 'earlier')
    : wallMs - offsetOf(offset)
}
