// One gateway: its warnings, its four figures, and its history.

import type { GatewayHistory, HistoryRange } from '@callgate/contract/app/gateway'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { SegmentedControl } from '@mantine/core'
import { useSearchParams } from 'wouter'
import { useRead } from '../client/reading.tsx'
import type { Reader } from '../gates/gateWords.ts'
import { Banner } from '../kit/Banner.tsx'
import { barsOf, SignalBars } from '../kit/SignalBars.tsx'
import { NotRead, Skeleton } from '../kit/states.tsx'
import { capital } from '../words/capital.ts'
import { textFor } from '../words/known.ts'
import { dbm, volts } from '../words/time.ts'
import { GatewayCharts } from './GatewayCharts.tsx'
import { sayOnline, sayWarning } from './gatewayWords.ts'
import { LastCalls } from './LastCalls.tsx'
import { spanOf } from './overTime.ts'
import { warningsOf } from './warnings.ts'

type Shown = Exclude<HistoryRange, '90d'>

/** The interval of reading the history, in milliseconds. */
const everyMs = 30_000

function Warnings(props: {
  readonly gateway: GatewayView
  readonly history: GatewayHistory | undefined
  readonly reader: Reader
  readonly edit: () => void
}) {
  const { edit, gateway, history, reader } = props
  return warningsOf(gateway, history).map(warning => {
    const [what, todo] = sayWarning(warning, reader)
    const isShut = warning.is === 'offline' || warning.is === 'cut_off'
    return (
      <Banner
        key={warning.is}
        tone={isShut ? 'shut' : 'look'}
        title={what}
        action={
          warning.is === 'number' && (
            <button type="button" className="link" onClick={edit}>
              {reader.words.gateways.toNumber}
            </button>
          )
        }
      >
        {todo}
      </Banner>
    )
  })
}

interface Figure {
  readonly name: string
  readonly value: React.ReactNode
  readonly says: string
}

/** The four figures: signal, supply, network, online. */
function figuresOf(
  { now }: GatewayView,
  history: GatewayHistory | undefined,
  range: Shown,
  reader: Reader,
): readonly Figure[] {
  const { words } = reader
  const { figures, ranges, registrations } = words.gateways
  const { locale } = reader.times
  const modem = now.state === 'online' ? now.modem : null
  const signal = modem?.signalDbm ?? null
  const supply = modem?.supplyMv ?? null
  const lowest = history && spanOf(history.supplyMv)?.low
  const online = history && sayOnline(history, reader)
  const network = modem ? (textFor(registrations, modem.registration) ?? modem.registration) : undefined
  const inVolts = (mV: number) => `${volts(mV, locale)} V`
  return [
    {
      name: figures.signal,
      value:
        signal === null ? (
          '–'
        ) : (
          <>
            <SignalBars dBm={signal} isQuiet /> {capital(figures.strength[barsOf(signal) - 1] ?? '', words)}
          </>
        ),
      says: signal === null ? figures.notKnown : dbm(signal),
    },
    {
      name: figures.supply,
      value: supply === null ? '–' : inVolts(supply),
      says:
        lowest === undefined
          ? supply === null
            ? figures.notKnown
            : ''
          : figures.supplySays(inVolts(lowest)),
    },
    {
      name: figures.network,
      value: modem?.operator ?? network ?? '–',
      says: network === undefined ? figures.notKnown : modem?.operator ? network : '',
    },
    {
      name: figures.online(ranges[range]),
      value: online?.share ?? '–',
      says: online?.gaps ?? '',
    },
  ]
}

export function GatewayDetail(props: {
  readonly gateway: GatewayView
  readonly reader: Reader
  readonly edit: () => void
}) {
  const { edit, gateway, reader } = props
  const words = reader.words.gateways
  const [search, setSearch] = useSearchParams()
  const asked = search.get('range') ?? ''
  const range: Shown = Object.hasOwn(words.ranges, asked) ? (asked as Shown) : '24h'
  const read = useRead(
    'getGatewayHistory',
    { params: { gatewayId: gateway.id }, query: { range } },
    { everyMs },
  )
  const history = read.value
  const data = Object.entries(words.ranges).map(([value, label]) => ({ value, label }))
  return (
    <section className="card gateway-detail" aria-label={gateway.name}>
      <div className="gateway-now">
        <h2>{gateway.name}</h2>
        <Warnings gateway={gateway} history={history} reader={reader} edit={edit} />
        <dl className="gateway-figures">
          {figuresOf(gateway, history, range, reader).map(({ name, says, value }) => (
            <div key={name}>
              <dt className="small quiet">{name}</dt>
              <dd className="gateway-figure">{value}</dd>
              <dd className="small quiet">{says}</dd>
            </div>
          ))}
        </dl>
      </div>
      <div className="gateway-over-time">
        <h3>{words.charts.title}</h3>
        <SegmentedControl
          withItemsBorders={false}
          className="gateway-range"
          aria-label={words.range}
          data={data}
          value={range}
          onChange={next => setSearch({ range: next }, { replace: true })}
        />
        {read.failure && <NotRead what={words.charts.title} of={read} />}
        {history && <GatewayCharts history={history} reader={reader} />}
        {!history && !read.failure && <Skeleton bars={[58, 61, 132, 144, 70]} />}
        {history && <LastCalls history={history} gateway={gateway.name} reader={reader} />}
      </div>
    </section>
  )
}
