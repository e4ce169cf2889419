// The signal at a gateway over the last 24 hours: a line where it was heard, a gap where it was not.

import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { useRead } from '../client/reading.tsx'
import { SignalBars } from '../kit/SignalBars.tsx'
import { dbm, timeOfDay } from '../words/time.ts'
import type { Reader } from './gateWords.ts'

const width = 240
const height = 48
/** The scale of the picture, and the limit of a weak signal. dBm. */
const scale = { weakest: -110, strongest: -55, weak: -93 } as const

const yOf = (dBm: number) =>
  height -
  ((Math.min(scale.strongest, Math.max(scale.weakest, dBm)) - scale.weakest) /
    (scale.strongest - scale.weakest)) *
    height

interface Point {
  readonly place: number
  readonly dBm: number
}

/** The lowest value of each group of this many stretches, so that a short dip still shows. */
function lowest(values: readonly (number | null)[], stretches: number): readonly (number | null)[] {
  const many = Math.ceil(values.length / stretches)
  return Array.from({ length: Math.ceil(values.length / many) }, (_, place) => {
    const heard = values.slice(place * many, (place + 1) * many).filter(value => value !== null)
    return heard.length === 0 ? null : Math.min(...heard)
  })
}

/** The path of the line, broken where nothing was heard. */
function pathOf(values: readonly (number | null)[]): string {
  return values
    .map((value, place) => {
      if (value === null) return ''
      const isFirst = place === 0 || values[place - 1] === null
      return `${isFirst ? 'M' : 'L'}${((place / Math.max(1, values.length - 1)) * width).toFixed(1)} ${yOf(value).toFixed(1)}`
    })
    .join('')
}

/** A dot: a line of no length, with round ends. */
const dotAt = ({ dBm, place }: Point, many: number) =>
  `M${((place / Math.max(1, many - 1)) * width).toFixed(1)} ${yOf(dBm).toFixed(1)}h0`

const columns = 96

export function SignalDay({ gateway, reader }: { readonly gateway: GatewayView; readonly reader: Reader }) {
  const says = reader.words.gate
  const read = useRead('getGatewayHistory', {
    params: { gatewayId: gateway.id },
    query: { range: '24h' },
  })
  if (!read.value) return null
  const { from, signalDbm, stepS } = read.value
  const low = signalDbm.reduce<Point | undefined>(
    (least, dBm, place) => (dBm !== null && (!least || dBm < least.dBm) ? { place, dBm } : least),
    undefined,
  )
  if (!low) return null
  const lastPlace = signalDbm.findLastIndex(dBm => dBm !== null)
  const last = { place: lastPlace, dBm: signalDbm[lastPlace] ?? low.dBm }
  const at = new Date(Date.parse(from) + low.place * stepS * 1_000).toISOString()
  const text = says.signalText(dbm(low.dBm), timeOfDay(at, reader.times))
  const now = gateway.now.modem?.signalDbm
  return (
    <section className="card signal-day">
      <div className="profile-head">
        <h2>{says.signalAt(gateway.name)}</h2>
        <span className="signal-now">
          <SignalBars dBm={now} isQuiet />
          {now !== null && now !== undefined && dbm(now)}
        </span>
      </div>
      <svg viewBox={`0 -2 ${width} ${height + 4}`} preserveAspectRatio="none" role="img" aria-label={text}>
        <title>{text}</title>
        <line className="signal-weak" x1={0} x2={width} y1={yOf(scale.weak)} y2={yOf(scale.weak)} />
        <path className="signal-line" d={pathOf(lowest(signalDbm, columns))} />
        <path className="signal-dot signal-low" d={dotAt(low, signalDbm.length)} />
        <path className="signal-dot" d={dotAt(last, signalDbm.length)} />
      </svg>
      <p className="signal-foot">
        <span>{says.dayAgo}</span>
        <span>{text}</span>
        <span>{says.now}</span>
      </p>
    </section>
  )
}
