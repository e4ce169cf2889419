// Values over stretches of time of equal length: as runs without a gap, as a line, and their dips.

/** Consecutive stretches with the same value, or with known values. */
export interface Run<Value> {
  /** Its first stretch. */
  readonly first: number
  /** A value for each of its stretches. */
  readonly values: readonly Value[]
}

/** The known values in runs: a run ends at an unknown value, so nothing is ever drawn across a gap. */
export function knownRuns<Value>(values: readonly (Value | null)[]): readonly Run<Value>[] {
  const runs: { first: number; values: Value[] }[] = []
  let open: Value[] | undefined
  for (const [place, value] of values.entries()) {
    if (value === null) open = undefined
    else if (open) open.push(value)
    else {
      open = [value]
      runs.push({ first: place, values: open })
    }
  }
  return runs
}

/** The stretches in runs of equal values; null stretches belong to no run. */
export function equalRuns<Value>(values: readonly (Value | null)[]): readonly Run<Value>[] {
  return knownRuns(values).flatMap(({ first, values: known }) => {
    const runs: { first: number; values: Value[] }[] = []
    for (const [place, value] of known.entries()) {
      const open = runs.at(-1)
      if (open && open.values[0] === value) open.values.push(value)
      else runs.push({ first: first + place, values: [value] })
    }
    return runs
  })
}

/** The lowest and the highest value of a chart. */
export interface Range {
  readonly low: number
  readonly high: number
}

/** The range that includes all values. */
export function rangeOf(values: readonly (number | null)[], least: Range, room: number): Range {
  let { high, low } = least
  for (const value of values) {
    if (value === null) continue
    low = Math.min(low, value - room)
    high = Math.max(high, value + room)
  }
  return { low, high }
}

/** The distance of a value from the top, as a share of the height. */
export function depthOf(value: number, { high, low }: Range): number {
  return (high - value) / (high - low)
}

/**
 * The line through known values as the path of an SVG, `values.length` wide and `height` high. Each value is in the middle of its
 * stretch; one without a neighbour is drawn over its whole stretch.
 */
export function linePath(values: readonly (number | null)[], range: Range, height: number): string {
  const y = (value: number) => (depthOf(value, range) * height).toFixed(1)
  return knownRuns(values)
    .map(({ first, values: known }) => {
      const [only] = known
      if (known.length === 1 && only !== undefined) return `M${first} ${y(only)}H${first + 1}`
      return known
        .map((value, place) => `${place === 0 ? 'M' : 'L'}${first + place + 0.5} ${y(value)}`)
        .join('')
    })
    .join('')
}

export interface Dip {
  /** The stretch of the lowest value. */
  readonly place: number
  readonly value: number
}

/** Each time that the values fall below a limit, with its lowest value, in the order of time. */
export function dipsBelow(values: readonly (number | null)[], bound: number): readonly Dip[] {
  return knownRuns(values.map(value => (value !== null && value < bound ? value : null))).map(
    ({ first, values: low }) => {
      const value = Math.min(...low)
      return { place: first + low.indexOf(value), value }
    },
  )
}
