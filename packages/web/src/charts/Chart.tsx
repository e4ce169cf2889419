// The parts of a chart over time: its row, a strip, a line over zones, marks, and the common axis below.

import type { ReactNode } from 'react'
import type { Dip, Range } from './stretches.ts'
import { depthOf, linePath } from './stretches.ts'
import { placeOf, type TimeAxis } from './timeAxis.ts'
import './charts.css'

const percent = (share: number) => `${(share * 100).toFixed(3)}%`

/** One chart. `text` describes it in words: for a screen reader the drawing is a single image. */
export function ChartRow(props: {
  readonly name: string
  readonly why: ReactNode
  readonly text: string
  readonly scale?: ReactNode
  readonly children: ReactNode
}) {
  const { children, name, scale, text, why } = props
  return (
    <div className="chart-row">
      <div className="chart-name">
        <b>{name}</b>
        <span>{why}</span>
      </div>
      <div className="chart-plot" role="img" aria-label={`${name}: ${text}`}>
        {children}
      </div>
      <div className="chart-scale" aria-hidden="true">
        {scale}
      </div>
    </div>
  )
}

export interface StripPart {
  /** Its first stretch. */
  readonly first: number
  readonly length: number
  readonly look: 'good' | 'look' | 'shut'
  readonly word?: string | undefined
}

/** A strip with a part for each known time. A word without enough room is left out. */
export function Strip({
  parts,
  stretches,
}: {
  readonly parts: readonly StripPart[]
  readonly stretches: number
}) {
  return (
    <div className="strip">
      {parts.map(({ first, length, look, word }) => {
        const share = length / stretches
        return (
          <span
            key={first}
            className={`strip-part strip-${look}`}
            style={{ insetInlineStart: percent(first / stretches), width: percent(share) }}
          >
            {word !== undefined && <span className="strip-word">{word}</span>}
          </span>
        )
      })}
    </div>
  )
}

export interface Zone {
  /** Everything below this value is in the zone. */
  readonly below: number
  readonly look: 'look' | 'shut'
  readonly word: string
}

export interface ShownDip extends Dip {
  /** Undefined where there is no room for it. */
  readonly word?: string | undefined
}

/** The height of the drawing in its own units; `height` is the displayed one in pixels. */
const units = 100

/** A line through the known values, with a zone below it where something is wrong. */
export function Line(props: {
  readonly values: readonly (number | null)[]
  readonly range: Range
  readonly grid: readonly number[]
  readonly zone: Zone
  readonly dips?: readonly ShownDip[]
  /** Pixels. */
  readonly height: number
}) {
  const { dips = [], grid, height, range, values, zone } = props
  const y = (value: number) => depthOf(value, range) * units
  const stretches = values.length
  const zoneMiddle = depthOf((zone.below + range.low) / 2, range)
  return (
    <>
      <svg
        className="chart-line"
        viewBox={`0 0 ${stretches} ${units}`}
        height={height}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <rect
          className={`chart-zone-${zone.look}`}
          y={y(zone.below)}
          width={stretches}
          height={units - y(zone.below)}
        />
        {grid.map(value => (
          <line key={value} x1={0} x2={stretches} y1={y(value)} y2={y(value)} />
        ))}
        <path d={linePath(values, range, units)} />
        {dips.map(({ place, value }) => (
          <line
            key={place}
            className="chart-drop"
            x1={place + 0.5}
            x2={place + 0.5}
            y1={y(values[place - 1] ?? values[place + 1] ?? zone.below)}
            y2={y(value)}
          />
        ))}
      </svg>
      <span className={`chart-note chart-note-${zone.look}`} style={{ top: percent(zoneMiddle) }}>
        {zone.word}
      </span>
      {dips.map(({ place, value, word }) => {
        const at = { left: percent((place + 0.5) / stretches), top: percent(depthOf(value, range)) }
        const side = place > stretches / 2 ? ' chart-dip-says-before' : ''
        return (
          <span key={place} className="chart-dip-at">
            <span className="chart-dip" style={at} />
            {word !== undefined && (
              <span className={`chart-dip-says${side}`} style={at}>
                {word}
              </span>
            )}
          </span>
        )
      })}
    </>
  )
}

/** The values beside a line, at their height. */
export function Scale({
  range,
  values,
}: {
  readonly range: Range
  readonly values: readonly { readonly value: number; readonly word: string }[]
}) {
  return values.map(({ value, word }) => (
    <span key={value} style={{ top: percent(depthOf(value, range)) }}>
      {word}
    </span>
  ))
}

/** A mark for each event. */
export function Marks({
  axis,
  marks,
}: {
  readonly axis: TimeAxis
  readonly marks: readonly { readonly id: string; readonly atMs: number; readonly look: string }[]
}) {
  return marks.map(({ atMs, id, look }) => (
    <span
      key={id}
      className={`chart-mark chart-mark-${look}`}
      style={{ left: percent(placeOf(atMs, axis)) }}
    />
  ))
}

/** A tick nearer than this share to an end of the axis would overlap the word there; the second share is for a phone. */
const roomAtEnds = { wide: 0.13, narrow: 0.2 }

/** The number of ticks that fit on a phone; of more, every other one is left out. */
const fewTicks = 3

/** The times below all charts. The first and the last word are at the ends. */
export function AxisRow(props: {
  readonly axis: TimeAxis
  readonly first: string
  readonly last: string
  readonly ticks: readonly { readonly atMs: number; readonly word: string }[]
}) {
  const { axis, first, last, ticks } = props
  const shown = ticks.filter(({ atMs }) => {
    const place = placeOf(atMs, axis)
    return place > roomAtEnds.wide && place < 1 - roomAtEnds.wide
  })
  return (
    <div className="chart-row chart-row-axis" aria-hidden="true">
      <div className="chart-name" />
      <div className="chart-axis">
        <span className="chart-axis-first" style={{ left: 0 }}>
          {first}
        </span>
        {shown.map(({ atMs, word }, number) => {
          const place = placeOf(atMs, axis)
          const isNear = place < roomAtEnds.narrow || place > 1 - roomAtEnds.narrow
          return (
            <span
              key={atMs}
              className={isNear || (shown.length > fewTicks && number % 2 === 0) ? 'chart-axis-wide' : ''}
              style={{ left: percent(place) }}
            >
              {word}
            </span>
          )
        })}
        <span className="chart-axis-last" style={{ left: '100%' }}>
          {last}
        </span>
      </div>
      <div />
    </div>
  )
}
