// The axis of the ringing times: a dot for each call, over the window in which the gate takes a call.

import { useWords } from '../words/words.tsx'

/** The least length of the axis, milliseconds. */
const leastMs = 10_000
/** Pixels. Only times are parts of the width, so letters and dots have one size wherever the axis stands. */
const height = 46
/** The room for the edges of the window, above it. */
const edge = 16
/** A part of the axis: a narrower window has no room for them. */
const leastWindow = 1 / 6
/** Dots of about the same time stand in several rows. */
const rows = 4

interface RungCall {
  readonly ms: number
  readonly number?: number
  readonly isStill?: boolean
}

interface Window {
  readonly reactMinMs: number
  readonly reactMaxMs: number
}

/** How a numbered dot looks: grey where the gate did not move, amber where the window does not hold the call. */
function lookOf({ isStill, ms }: RungCall, window: Window | undefined): string {
  if (isStill) return 'window-call window-call-still'
  const isOutside = window && (ms < window.reactMinMs || ms > window.reactMaxMs)
  return isOutside ? 'window-call window-call-outside' : 'window-call'
}

/** A dot, which is larger with a number. */
function Dot(props: {
  readonly call: RungCall
  readonly cx: string
  readonly look: string
  readonly row: number
}) {
  const { call, cx, look, row } = props
  const { number } = call
  if (number === undefined) return <circle className="window-dot" cx={cx} cy={13 + row * 7} r={3} />
  return (
    <g>
      <circle className={look} cx={cx} cy={12 + row * 9} r={8} />
      <text className="window-number" x={cx} y={15.5 + row * 9} textAnchor="middle">
        {number}
      </text>
    </g>
  )
}

/** `text` says the same in words. */
export function RingingAxis(props: {
  readonly calls: readonly RungCall[]
  readonly window?: Window | undefined
  readonly caption?: string
  readonly text: string
}) {
  const { calls, caption, text, window } = props
  const { gate: says, locale } = useWords()
  const longestMs = Math.max(window?.reactMaxMs ?? 0, ...calls.map(({ ms }) => ms))
  const axisMs = Math.max(leastMs, Math.ceil(longestMs / 10_000) * 10_000)
  const x = (ms: number) => `${(ms / axisMs) * 100}%`
  const edges = window ? [window.reactMinMs, window.reactMaxMs] : []
  const above = window && window.reactMaxMs - window.reactMinMs >= axisMs * leastWindow ? edge : 0
  const figure = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  const dots = calls.map((call, place) => ({ call, key: `${place}`, row: place % rows }))
  const steps = Array.from({ length: 6 }, (_, step) => (step * axisMs) / 5_000)
  return (
    <figure className="window">
      <figcaption className="small">{caption ?? says.window}</figcaption>
      <svg height={height + 18 + above} role="img" aria-label={text}>
        <title>{text}</title>
        <g transform={`translate(0 ${above})`}>
          {window && (
            <rect
              className="window-open"
              x={x(window.reactMinMs)}
              y={2}
              width={x(window.reactMaxMs - window.reactMinMs)}
              height={height - 2}
              rx={4}
            />
          )}
          {above > 0 &&
            edges.map(ms => (
              <text key={ms} className="window-edge" x={x(ms)} y={-4} textAnchor="middle">
                {figure.format(ms / 1_000)}
              </text>
            ))}
          <line className="window-axis" x1={0} y1={height} x2="100%" y2={height} />
          {dots.map(({ call, key, row }) => (
            <Dot key={key} call={call} cx={x(call.ms)} look={lookOf(call, window)} row={row} />
          ))}
          {steps.map((step, place) => (
            <text
              key={step}
              className="window-step"
              x={x(step * 1_000)}
              y={height + 15}
              textAnchor={place === 0 ? 'start' : place === 5 ? 'end' : 'middle'}
            >
              {place === 5 ? says.seconds(step) : step}
            </text>
          ))}
        </g>
      </svg>
    </figure>
  )
}
