// The axis of the ringing times: a dot for each call, over the window in which the gate takes a call.

import { useWords } from '../words/words.tsx'

/** The least length of the axis, milliseconds. */
const leastMs = 10_000
const width = 240
const height = 34
/** The room for the edges of the window, above it. */
const edge = 13
/** A narrower window has no room for them. */
const leastWindow = 40
/** Dots of about the same time stand in several rows. */
const rows = 4

/** `text` says the same in words. A dot with a number is larger, and grey where the gate did not move. */
export function RingingAxis(props: {
  readonly calls: readonly { readonly ms: number; readonly number?: number; readonly isStill?: boolean }[]
  readonly window?: { readonly reactMinMs: number; readonly reactMaxMs: number } | undefined
  readonly text: string
}) {
  const { calls, text, window } = props
  const { gate: says, locale } = useWords()
  const longestMs = Math.max(window?.reactMaxMs ?? 0, ...calls.map(({ ms }) => ms))
  const axisMs = Math.max(leastMs, Math.ceil(longestMs / 10_000) * 10_000)
  const x = (ms: number) => (ms / axisMs) * width
  const edges = window ? [window.reactMinMs, window.reactMaxMs] : []
  const above = window && x(window.reactMaxMs - window.reactMinMs) >= leastWindow ? edge : 0
  const figure = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  const dots = calls.map((call, place) => ({ ...call, key: `${place}`, row: place % rows }))
  const steps = Array.from({ length: 6 }, (_, step) => (step * axisMs) / 5_000)
  return (
    <figure className="window">
      <figcaption className="small">{says.window}</figcaption>
      <svg viewBox={`0 ${-above} ${width} ${height + 16 + above}`} role="img" aria-label={text}>
        <title>{text}</title>
        {window && (
          <rect
            className="window-open"
            x={x(window.reactMinMs)}
            y={4}
            width={x(window.reactMaxMs) - x(window.reactMinMs)}
            height={height - 4}
            rx={4}
          />
        )}
        {above > 0 &&
          edges.map(ms => (
            <text key={ms} className="window-edge" x={Math.max(x(ms), 8)} y={-2} textAnchor="middle">
              {figure.format(ms / 1_000)}
            </text>
          ))}
        <line className="window-axis" x1={0} y1={height} x2={width} y2={height} />
        {dots.map(({ isStill, key, ms, number, row }) =>
          number === undefined ? (
            <circle key={key} className="window-dot" cx={x(ms)} cy={10 + row * 5} r={2.6} />
          ) : (
            <g key={key}>
              <circle
                className={isStill ? 'window-call window-call-still' : 'window-call'}
                cx={x(ms)}
                cy={8 + row * 7}
                r={5}
              />
              <text className="window-number" x={x(ms)} y={10.4 + row * 7} textAnchor="middle">
                {number}
              </text>
            </g>
          ),
        )}
        {steps.map((step, place) => (
          <text
            key={step}
            className="window-step"
            x={place === 0 ? 0 : place === 5 ? width : x(step * 1_000)}
            y={height + 13}
            textAnchor={place === 0 ? 'start' : place === 5 ? 'end' : 'middle'}
          >
            {place === 5 ? says.seconds(step) : step}
          </text>
        ))}
      </svg>
    </figure>
  )
}
