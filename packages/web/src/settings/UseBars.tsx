// The use of a key over 30 days: a bar for each day, today last.

const height = 24
const step = 4
const width = 3
/** The height of a day without a use, and the least height of a day with one. */
const flat = 1.5
const least = 4

/** `says` is the text for a screen reader. */
export function UseBars({ says, uses }: { readonly uses: readonly number[]; readonly says: string }) {
  const most = Math.max(...uses)
  const highOf = (of: number) => (of === 0 ? flat : Math.max(least, (of / most) * height))
  const bars = uses.map((of, day) => ({ x: day * step, high: highOf(of) }))
  return (
    <svg
      className="use-bars"
      role="img"
      aria-label={says}
      width={uses.length * step}
      height={height}
      viewBox={`0 0 ${uses.length * step} ${height}`}
    >
      <title>{says}</title>
      {bars.map(({ high, x }) => (
        <rect key={x} x={x} y={height - high} width={width} height={high} rx={1} />
      ))}
    </svg>
  )
}
