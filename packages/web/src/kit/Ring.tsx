// The ring: four arcs, clockwise from the top, for asked, calling, ringing and taken.

import type { ReactNode } from 'react'
import './Ring.css'

export type Tone = 'call' | 'open' | 'look' | 'shut' | 'quiet'

export interface RingProps {
  /** How many arcs are lit, from none to all. */
  readonly lit: number
  /** Four, for the steps of a call, unless it counts something else. */
  readonly arcs?: 3 | 4
  readonly tone: Tone
  /** Width and height, in pixels. */
  readonly size: number
  /** The last lit arc shows the current step. */
  readonly isLive?: boolean
  /** The last arc is assumed, not observed. */
  readonly isDotted?: boolean
  /** The content in the middle. */
  readonly children?: ReactNode
}

interface Shape {
  readonly box: number
  readonly stroke: number
  /** Between two arcs, from round end to round end, in degrees. */
  readonly gap: number
}

const large: Shape = { box: 280, stroke: 9, gap: 5 }
const small: Shape = { box: 30, stroke: 3, gap: 16 }
/** From this size on the fine shape is used. */
const largeFrom = 80

/** The path of one arc: `place` 0 begins at the top. */
function arcOf({ box, gap, stroke }: Shape, place: number, arcs: number): string {
  const radius = (box - stroke) / 2
  const cap = stroke / 2 / radius
  const half = (gap * Math.PI) / 360 + cap
  const at = (angle: number) => {
    const x = box / 2 + radius * Math.sin(angle)
    const y = box / 2 - radius * Math.cos(angle)
    return `${x.toFixed(2)} ${y.toFixed(2)}`
  }
  const turn = (2 * Math.PI) / arcs
  const from = place * turn + half
  const to = (place + 1) * turn - half
  return `M${at(from)}A${radius} ${radius} 0 0 1 ${at(to)}`
}

const places = [0, 1, 2, 3] as const

function classOf(place: number, { isDotted = false, isLive = false, lit }: RingProps): string {
  const isLit = place < lit
  const isLast = place === lit - 1
  return [
    'ring-arc',
    isLit && 'ring-arc-lit',
    isLit && isLast && isLive && 'ring-arc-live',
    isLit && isLast && isDotted && 'ring-arc-dotted',
  ]
    .filter(Boolean)
    .join(' ')
}

/** The ring alone says nothing to a screen reader: put text beside it. */
export function Ring(props: RingProps) {
  const { arcs = 4, children, size, tone } = props
  const shape = size >= largeFrom ? large : small
  return (
    <span className={`ring ring-${tone}`} style={{ width: size, height: size }} aria-hidden="true">
      <svg viewBox={`0 0 ${shape.box} ${shape.box}`} strokeWidth={shape.stroke} aria-hidden="true">
        {places.slice(0, arcs).map(place => (
          <path key={place} className={classOf(place, props)} d={arcOf(shape, place, arcs)} />
        ))}
      </svg>
      {children !== undefined && <span className="ring-middle">{children}</span>}
    </span>
  )
}
