// Instants: a time that a client sends, as the database writes times.

const wholeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/**
 * The first millisecond that is not before `text` (RFC 3339), as UTC with milliseconds; undefined when there is no such
 * time, or when it lies outside the years 0 to 9999, where texts no longer sort as times do. Rounding up is right for the
 * beginning and for the end of a span, because times have no finer parts.
 */
export function readInstant(text: string): string | undefined {
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) return undefined
  const hasFinerPart = /\.\d{3}\d*[1-9]/.test(text)
  const iso = new Date(ms + (hasFinerPart ? 1 : 0)).toISOString()
  return wholeForm.test(iso) ? iso : undefined
}
