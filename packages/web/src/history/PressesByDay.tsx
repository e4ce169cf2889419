// The presses of the last 30 days: their number, and a bar for each day, divided by result.

import type { DayCounts } from '@callgate/contract/app/openingRecord'
import type { Reader } from '../gates/gateWords.ts'
import { count, dayAndMonth } from '../words/time.ts'
import { barsOf, type Counts, type countedClasses, sumOf, totalOf } from './dayBars.ts'

/** The chart is drawn in these units, and stretched to its space. */
const height = 70
const step = 10
const barWidth = 8.6

/** `1,060 opened`, for each class, in the order of the legend. */
function saysOf(counts: Counts, { words }: Reader) {
  const says = words.history
  const number = (value: number) => count(value, words.locale)
  return [
    { kind: 'opened', text: says.opened(number(counts.opened)) },
    { kind: 'didNotOpen', text: says.didNotOpen(number(counts.didNotOpen)) },
    { kind: 'unknown', text: says.unknown(number(counts.unknown)) },
    { kind: 'denied', text: says.denied(number(counts.denied)) },
  ] satisfies { readonly kind: (typeof countedClasses)[number]; readonly text: string }[]
}

export function PressesByDay({
  days,
  reader,
}: {
  readonly days: readonly DayCounts[]
  readonly reader: Reader
}) {
  const { nowMs, words } = reader
  const says = words.history
  const sum = sumOf(days)
  const total = count(totalOf(sum), words.locale)
  const legend = saysOf(sum, reader)
  // A date is already a day of its zone, and is written unchanged.
  const dayOf = (date = '') => dayAndMonth(`${date}T12:00:00Z`, nowMs, { ...reader.times, zone: 'UTC' })
  const [first] = days
  const middle = days[Math.floor(days.length / 2)]
  const most = [...days].sort((a, b) => totalOf(b) - totalOf(a))[0]
  const mostSays =
    most && totalOf(most) > 0 ? ` ${says.mostOn(dayOf(most.date), count(totalOf(most), words.locale))}` : ''
  const text = says.chart(total, legend.map(part => part.text).join(', ')) + mostSays
  return (
    <section className="card presses" aria-label={says.presses}>
      <div className="presses-head">
        <p>
          <b className="presses-total">{total}</b> {says.presses}
        </p>
        <ul className="presses-legend small quiet">
          {legend.map(({ kind, text }) => (
            <li key={kind}>
              <span className={`presses-key presses-${kind}`} />
              {text}
            </li>
          ))}
        </ul>
      </div>
      <svg
        className="presses-bars"
        viewBox={`0 0 ${days.length * step - (step - barWidth)} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={text}
      >
        {barsOf(days, height).map((parts, place) =>
          parts.map(({ height, kind, top }) => (
            <rect
              key={`${days[place]?.date} ${kind}`}
              className={`presses-${kind}`}
              x={place * step}
              y={top}
              width={barWidth}
              height={height}
              rx={0.8}
            />
          )),
        )}
      </svg>
      <div className="presses-axis small quiet" aria-hidden="true">
        <span>{dayOf(first?.date)}</span>
        <span>{dayOf(middle?.date)}</span>
        <span>{says.today}</span>
      </div>
    </section>
  )
}
