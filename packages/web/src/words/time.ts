// Times and numbers as a person reads them: in their language, and in the zone of the Space.

/** How times are written: `locale` as Intl has it, and the IANA name of the zone. */
export interface TimeStyle {
  readonly locale: string
  readonly zone: string
}

type Format = Intl.DateTimeFormatOptions

/** The calendar day of a moment in the zone, to compare days. */
function dayOf(atMs: number, { zone }: TimeStyle): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(atMs)
}

function format(atMs: number, { locale, zone }: TimeStyle, options: Format): string {
  return new Intl.DateTimeFormat(locale, { timeZone: zone, ...options }).format(atMs)
}

/** Writes what the wall clock of a zone shows, in figures, from the year to the second. */
export function wallFormat(zone: string): Intl.DateTimeFormat {
  const two = '2-digit'
  const figures: Format = { year: 'numeric', month: two, day: two, hour: two, minute: two, second: two }
  return new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...figures })
}

const dayMs = 86_400_000

/** `14:28`. */
export function timeOfDay(at: string, style: TimeStyle): string {
  return format(Date.parse(at), style, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
}

/** `14:28`, in the zone of the device, for observations of the device itself. */
export function deviceTime(atMs: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
    atMs,
  )
}

/** The zone of the device, for data that belong to no Space. */
export function deviceZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** How many days ago a date was, in the calendar of the zone: 0 today, 1 yesterday, else more. */
export function daysBack(at: string, nowMs: number, style: TimeStyle): number {
  const of = (ms: number) => Date.parse(`${dayOf(ms, style)}T00:00:00Z`)
  return Math.round((of(nowMs) - of(Date.parse(at))) / dayMs)
}

/** `2 February`; with the year where it is not the current one. */
export function dayAndMonth(at: string, nowMs: number, style: TimeStyle): string {
  const isOther = dayOf(Date.parse(at), style).slice(0, 4) !== dayOf(nowMs, style).slice(0, 4)
  return format(Date.parse(at), style, { day: 'numeric', month: 'long', ...(isOther && { year: 'numeric' }) })
}

/** `1,284`. */
export function count(value: number, locale: string): string {
  return new Intl.NumberFormat(locale).format(value)
}

/** `4.62 s`, for the phases of a call. */
export function seconds(ms: number, locale: string, digits = 1): string {
  const places = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return `${new Intl.NumberFormat(locale, places).format(ms / 1000)} s`
}

/** `−71 dBm`, with a minus sign. */
export function dbm(value: number): string {
  return `${value < 0 ? '−' : ''}${Math.abs(value)} dBm`
}

/** `13:58` today, else `19 March, 13:58`. */
export function timeOrDay(at: string, nowMs: number, style: TimeStyle): string {
  const time = timeOfDay(at, style)
  return daysBack(at, nowMs, style) === 0 ? time : `${dayAndMonth(at, nowMs, style)}, ${time}`
}

/** `3 Nov 2025`. */
export function shortDate(at: string, style: TimeStyle): string {
  return format(Date.parse(at), style, { day: 'numeric', month: 'short', year: 'numeric' })
}

/** `3.43 V` of millivolts. */
export function volts(millivolts: number, locale: string): string {
  const places = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  return new Intl.NumberFormat(locale, places).format(millivolts / 1000)
}

/** `98.2 %`. */
export function share(part: number, locale: string): string {
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(part * 100)} %`
}

/** Wall clock with an offset or Z at its end: an instant. */
const isInstant = (bound: string) => /(Z|[+-]\d\d:\d\d)$/.test(bound)

/**
 * `2026-06-30T14:00`, the wall clock of a zone at a bound of a schedule, which is an instant or already a wall clock. Undefined
 * for an instant in a zone that this browser does not know.
 */
export function wallOf(bound: string, zone: string): string | undefined {
  if (!isInstant(bound)) return bound.slice(0, 16)
  try {
    // Swedish dates have the form of ISO 8601.
    return format(
      Date.parse(bound),
      { locale: 'sv-SE', zone },
      { dateStyle: 'short', timeStyle: 'short' },
    ).replace(' ', 'T')
  } catch {
    return undefined
  }
}

/** The wall clock of a zone now: `2026-06-30T14:00`. */
export function wallNow(nowMs: number, zone: string): string | undefined {
  return wallOf(new Date(nowMs).toISOString(), zone)
}

/** The day so many days later, `2026-06-30`; earlier where they are negative. */
export function dayBeside(day: string, step: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + step * dayMs).toISOString().slice(0, 10)
}

/** `30 June 2026`, or by `options`, of a day or a wall clock in ISO form. */
export function wallDay(
  wall: string,
  locale: string,
  options: Format = { day: 'numeric', month: 'long' },
): string {
  return new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options }).format(
    Date.parse(`${wall.slice(0, 10)}T00:00:00Z`),
  )
}

/** `Monday`. */
export function weekday(at: string, style: TimeStyle): string {
  return format(Date.parse(at), style, { weekday: 'long' })
}

/** `Friday 20 March`; with the year where it is not the current one. */
export function dayName(at: string, nowMs: number, style: TimeStyle): string {
  return `${weekday(at, style)} ${dayAndMonth(at, nowMs, style)}`
}

/** Rows in groups of one day each, in their order; `dayOf` returns the day of a row. */
export function byDay<Row>(
  rows: readonly Row[],
  dayOf: (row: Row) => string,
): readonly { readonly day: string; readonly rows: readonly Row[] }[] {
  const days: { readonly day: string; readonly rows: Row[] }[] = []
  for (const row of rows) {
    const day = dayOf(row)
    const last = days.at(-1)
    if (last?.day === day) last.rows.push(row)
    else days.push({ day, rows: [row] })
  }
  return days
}
