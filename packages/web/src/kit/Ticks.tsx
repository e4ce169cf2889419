// The last openings of a gate as a row of ticks: full, half and low, which can be distinguished without colour.

import type { OpeningClass } from '@callgate/contract/call/openingClass'
import './Ticks.css'

/** The row has this many columns, each 10 wide. */
const step = 10
const height = 18

const heightOf: Readonly<Record<OpeningClass, number>> = {
  running: height,
  opened: height,
  probably_opened: height,
  unknown: height,
  did_not_open: height / 2,
  not_called: height / 2,
  denied: 4,
}

/** `classes` oldest first; columns before the first opening are empty. `label` describes the same in words. */
export function Ticks(props: {
  readonly classes: readonly OpeningClass[]
  readonly columns: number
  readonly label: string
}) {
  const { classes, columns, label } = props
  const before = columns - classes.length
  const ticks = Array.from({ length: columns }, (_, column) => {
    const kind = classes[column - before]
    return { at: `${column}`, x: column * step, kind, tall: kind === undefined ? 2 : heightOf[kind] }
  })
  return (
    <svg
      className="ticks"
      viewBox={`0 0 ${columns * step - 2} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      {ticks.map(({ at, kind = 'none', tall, x }) => (
        <rect
          key={at}
          className={`tick tick-${kind}`}
          x={x}
          y={height - tall}
          width={8}
          height={tall}
          rx={1.5}
        />
      ))}
    </svg>
  )
}
