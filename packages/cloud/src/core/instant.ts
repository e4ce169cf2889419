// Instants: converts a time that a client sends to the form of the database.

const wholeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/**
 * The first millisecond that is not before `text` (RFC 3339), as UTC with milliseconds; undefined when there is no such time, or
 * when it lies outside the years 0 to 9999, where the order of the texts is not the order of the times. Rounding up is right for
 * both ends of a span, because stored times have whole milliseconds.
 */
export function readInstant(text: string): string | undefined {
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) return undefined
  const hasFinerPart = /\.\d{3}\d*[1-9]/.test(text)
  const iso = new Date(ms + (hasFinerPart ? 1 : 0)).toISOString()
  return wholeForm.test(iso) ? iso : undefined
}
