// Packed zones: reads a zone of the tz database in the form of moment-timezone, with numbers in base 60.

const minuteMs = 60_000
const secondMs = 1_000

/** A zone's offsets from UTC, and when one follows another. Milliseconds; wall clock = UTC + offset. */
export interface ZoneChanges {
  /** Ascending. */
  readonly atMs: readonly number[]
  /** One offset more than the changes: the first one holds before all changes. Neighbours differ. */
  readonly offsetsMs: readonly number[]
}

const digits = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX'

/** `-2gMnt.E` → a number; NaN for anything else. */
function numberOf(text: string): number {
  const [, minus, whole = '', fraction = ''] = /^(-?)([0-9a-zA-X]*)(?:\.([0-9a-zA-X]*))?$/.exec(text) ?? []
  if (minus === undefined) return Number.NaN
  let value = 0
  for (const digit of whole) value = value * 60 + digits.indexOf(digit)
  let unit = 1
  for (const digit of fraction) {
    unit /= 60
    value += digits.indexOf(digit) * unit
  }
  return minus ? -value : value
}

/** Minutes, which may include seconds, as milliseconds rounded to whole seconds. */
const msOf = (minutes: number) => Math.round((minutes * minuteMs) / secondMs) * secondMs

/**
 * The changes of a packed zone: `name|abbreviations|offsets|indices|differences|population`. Offsets count westwards, and the
 * differences are those between one change and the next, in minutes. Undefined for any other text.
 */
export function readPackedZone(packed: string): ZoneChanges | undefined {
  const [, , packedOffsets = '', indices = '', differences = ''] = packed.split('|')
  const offsets = packedOffsets.split(' ').map(text => 0 - msOf(numberOf(text)))
  const order = [...indices].map(index => offsets[numberOf(index)] ?? Number.NaN)
  const steps = differences === '' ? [] : differences.split(' ').map(numberOf)
  if (order.length !== steps.length + 1) return undefined
  const atMs: number[] = []
  const offsetsMs: number[] = order.slice(0, 1)
  let minutes = 0
  for (const [place, step] of steps.entries()) {
    minutes += step
    // Not tested: no offset at this place; the lengths were compared above.
    const offsetMs = order[place + 1] ?? Number.NaN
    if (Number.isNaN(minutes) || Number.isNaN(offsetMs) || (place > 0 && step <= 0)) return undefined
    // Only the abbreviation may have changed.
    if (offsetMs === offsetsMs.at(-1)) continue
    atMs.push(msOf(minutes))
    offsetsMs.push(offsetMs)
  }
  return Number.isNaN(offsetsMs[0]) ? undefined : { atMs, offsetsMs }
}
