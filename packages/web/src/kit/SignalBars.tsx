// The strength of a signal as four bars.

import { dbm } from '../words/time.ts'
import './SignalBars.css'

/** The number of bars, of four, for a strength. dBm. */
export function barsOf(strengthDbm: number): number {
  return 1 + [-93, -83, -73].filter(least => strengthDbm >= least).length
}

const places = [1, 2, 3, 4] as const

/** `dBm` undefined: unknown. With `isQuiet` it is grey, where something else is more important. */
export function SignalBars(props: { readonly dBm: number | null | undefined; readonly isQuiet?: boolean }) {
  const lit = props.dBm === null || props.dBm === undefined ? 0 : barsOf(props.dBm)
  const name = props.dBm === null || props.dBm === undefined ? '?' : dbm(props.dBm)
  return (
    <svg
      className={props.isQuiet ? 'signal signal-quiet' : 'signal'}
      width={22}
      height={16}
      viewBox="0 0 22 16"
      role="img"
      aria-label={name}
    >
      <title>{name}</title>
      {places.map(place => (
        <rect
          key={place}
          className={place <= lit ? 'signal-lit' : 'signal-bar'}
          x={(place - 1) * 6}
          y={16 - place * 4}
          width={4}
          height={place * 4}
          rx={1.5}
        />
      ))}
    </svg>
  )
}
