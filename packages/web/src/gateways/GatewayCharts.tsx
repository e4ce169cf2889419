// How a gateway was over time: online, network, signal, supply and calls, over one axis.

import type { GatewayHistory } from '@callgate/contract/app/gateway'
import { givesWayMv, weakDbm } from '@callgate/contract/app/incidentKinds'
import { AxisRow, ChartRow, Line, Marks, Scale, Strip, type StripPart } from '../charts/Chart.tsx'
import { dipsBelow, equalRuns, rangeOf } from '../charts/stretches.ts'
import { ticksOf } from '../charts/timeAxis.ts'
import type { Reader } from '../gates/gateWords.ts'
import { dayAndMonth, dbm, timeOfDay, timeOrDay, volts } from '../words/time.ts'
import type { Words } from '../words/words.tsx'
import { zoneOf } from '../words/zone.ts'
import { sayCalls, sayGaps, sayNetwork, saySignal, saySupply } from './gatewayWords.ts'
import { axisOf, callMarks, countCalls, knownSince, onlineStates } from './overTime.ts'

interface Drawn {
  readonly history: GatewayHistory
  readonly reader: Reader
  readonly says: Words['gateways']['charts']
}

function Online({ history, reader, says }: Drawn) {
  const states = onlineStates(history)
  const look = { on: 'good', part: 'shut', off: 'shut' } as const
  const parts = equalRuns(states.map(state => (state === null ? null : look[state]))).map(
    ({ first, values: [look = 'shut', ...rest] }) => ({ first, length: rest.length + 1, look }),
  )
  return (
    <ChartRow name={says.online} why={says.onlineWhy} text={sayGaps(history, reader)}>
      <Strip parts={parts} stretches={states.length} />
    </ChartRow>
  )
}

const lookOfNetwork: Readonly<Record<string, StripPart['look']>> = {
  home: 'good',
  roaming: 'good',
  denied: 'shut',
}

function Network({ history, reader, says }: Drawn) {
  const names = reader.words.gateways.registrations
  const parts = equalRuns(history.registration).map(({ first, values: [word = 'unknown', ...rest] }) => ({
    first,
    length: rest.length + 1,
    look: lookOfNetwork[word] ?? 'look',
    word: names[word],
  }))
  return (
    <ChartRow name={says.network} why={says.networkWhy} text={sayNetwork(history, reader)}>
      <Strip parts={parts} stretches={history.registration.length} />
    </ChartRow>
  )
}

/** The least range shown in dBm, and the margin above and below the outermost value. */
const signalRange = { low: -102, high: -62 }
const signalGrid = [-70, -80, -90]

function Signal({ history, says }: Drawn) {
  const { signalDbm } = history
  const range = rangeOf(signalDbm, signalRange, 4)
  const values = signalGrid.map(value => ({ value, word: dbm(value).replace(' dBm', '') }))
  return (
    <ChartRow
      name={says.signal}
      why={says.signalWhy}
      text={saySignal(signalDbm, says)}
      scale={<Scale range={range} values={values} />}
    >
      <Line
        values={signalDbm}
        range={range}
        grid={signalGrid}
        zone={{ below: weakDbm, look: 'look', word: says.weak }}
        height={100}
      />
    </ChartRow>
  )
}

/** The same in mV. */
const supplyRange = { low: 3_250, high: 4_300 }
const supplyGrid = [4_200, 3_800]
/** The number of lowest dips that show their value; more would overlap. */
const dipsSaid = 2

function Supply({ history, reader, says }: Drawn) {
  const { stepS, supplyMv } = history
  const { locale } = reader.times
  const { fromMs } = axisOf(history)
  const range = rangeOf(supplyMv, supplyRange, 60)
  const dips = dipsBelow(supplyMv, givesWayMv)
  const lowest = [...dips].sort((a, b) => a.value - b.value).slice(0, dipsSaid)
  const shown = dips.map(dip => {
    const at = new Date(fromMs + dip.place * stepS * 1000).toISOString()
    const time = timeOrDay(at, reader.nowMs, reader.times)
    return { ...dip, time, word: says.dip(`${volts(dip.value, locale)} V`, time) }
  })
  const values = supplyGrid.map(value => ({
    value,
    word: `${(value / 1000).toLocaleString(locale)} V`,
  }))
  return (
    <ChartRow
      name={says.supply}
      why={says.supplyWhy[stepS]}
      text={saySupply(
        supplyMv,
        shown.map(({ word }) => word),
        reader,
      )}
      scale={<Scale range={range} values={values} />}
    >
      <Line
        values={supplyMv}
        range={range}
        grid={supplyGrid}
        zone={{ below: givesWayMv, look: 'shut', word: says.givesWay }}
        dips={shown.map(({ word, ...dip }) => ({
          ...dip,
          word: lowest.some(({ place }) => place === dip.place) ? word : undefined,
        }))}
        height={112}
      />
    </ChartRow>
  )
}

function Calls({ history, reader, says }: Drawn) {
  const text = sayCalls(countCalls(history), reader)
  const more = history.hasMoreCalls ? `; ${says.moreCalls(history.calls.length)}` : ''
  return (
    <ChartRow name={says.calls} why={text + more} text={text + more}>
      <Marks axis={axisOf(history)} marks={callMarks(history)} />
    </ChartRow>
  )
}

/** The largest number of times below the charts. */
const mostTicks = 6
const longMs = 3 * 86_400_000

export function GatewayCharts({
  history,
  reader,
}: {
  readonly history: GatewayHistory
  readonly reader: Reader
}) {
  const says = reader.words.gateways.charts
  const { nowMs, times } = reader
  const axis = axisOf(history)
  const isLong = axis.toMs - axis.fromMs > longMs
  const ticks = ticksOf(axis, zoneOf(times.zone), mostTicks).map(({ atMs, isDay, wallMs }) => ({
    atMs,
    // A day without a midnight begins later; its tick still names the day.
    word: isLong
      ? dayAndMonth(new Date(atMs).toISOString(), nowMs, times)
      : isDay
        ? says.midnight
        : new Date(wallMs).toISOString().slice(11, 16),
  }))
  const first = isLong ? dayAndMonth(history.from, nowMs, times) : timeOfDay(history.from, times)
  const drawn = { history, reader, says }
  const since = knownSince(history)
  return (
    <div className="charts">
      {since !== 'all' && (
        <p className="charts-since small quiet">
          {since === 'none'
            ? says.nothing
            : says.dataSince(timeOrDay(new Date(since).toISOString(), nowMs, times))}
        </p>
      )}
      <Online {...drawn} />
      <Network {...drawn} />
      <Signal {...drawn} />
      <Supply {...drawn} />
      <Calls {...drawn} />
      <AxisRow axis={axis} first={first} last={says.now} ticks={ticks} />
    </div>
  )
}
