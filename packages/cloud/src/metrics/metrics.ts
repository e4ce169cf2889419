// The metrics of this process in Prometheus's format. Only this file and `askedMetrics.ts` import prom-client.

import { followHops, type Hop } from '@callgate/world/hops'
import { followMeasures, type Measure } from '@callgate/world/measures'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { askedMetrics, type MetricsParts } from './askedMetrics.ts'
import { type StageReader, stageReader, stages } from './openingStages.ts'

export interface Metrics {
  readonly contentType: string
  /** All metrics in Prometheus's text format. Values that cannot be read now are left out. */
  read(): Promise<string>
  /** All metrics, whether or not they were counted yet. */
  described(): readonly { readonly name: string; readonly type: string; readonly labels: readonly string[] }[]
  /** Stops counting. */
  stop(): void
}

/** Bucket limits of histograms, in seconds. A press is answered within 50 s, and an opening ends within 90 s. */
const buckets = {
  opening: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 7.5, 10, 15, 20, 30, 45, 60, 90],
  request: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  write: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
} as const

const seconds = (ms: number) => ms / 1_000
/** A stranger may send any method that Node knows; others than these have no label of their own. */
const methods: ReadonlySet<string> = new Set('GET HEAD POST PUT PATCH DELETE OPTIONS'.split(' '))
const methodOf = (method: string) => (methods.has(method) ? method : 'other')
const classOf = (status: number) => `${Math.floor(status / 100)}xx`

/**
 * Metrics of prom-client that are left out: names against the conventions, and those that count every connection at each reading.
 */
const leftOut = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

/** The metrics of openings. */
function openingMetrics(registers: Registry[]): {
  readonly take: (hop: Hop) => void
  readonly reader: StageReader
} {
  const ended = new Counter({
    registers,
    name: 'callgate_openings_ended_total',
    help: 'Openings that have ended, by status and reason; those that joined another are counted too.',
    labelNames: ['outcome', 'reason'],
  })
  const corrected = new Counter({
    registers,
    name: 'callgate_openings_corrected_total',
    help: 'Openings that had ended as a timeout, and whose gateway has told the end later.',
    labelNames: ['outcome'],
  })
  const stageSeconds = new Histogram({
    registers,
    name: 'callgate_opening_stage_seconds',
    help: `Time of each stage of an opening: ${Object.entries(stages)
      .map(([stage, what]) => `${stage}, ${what}`)
      .join('; ')}.`,
    labelNames: ['stage'],
    buckets: [...buckets.opening],
  })
  const wholeSeconds = new Histogram({
    registers,
    name: 'callgate_opening_seconds',
    help: 'Time from the request to the committed end of an opening, by status.',
    labelNames: ['outcome'],
    buckets: [...buckets.opening],
  })
  const reader = stageReader({
    stage: (stage, tookMs) => stageSeconds.observe({ stage }, seconds(tookMs)),
    whole: (outcome, tookMs) => wholeSeconds.observe({ outcome }, seconds(tookMs)),
  })
  return {
    reader,
    take({ isCorrection, outcome = '', point, reason = '' }) {
      if (point !== 'ended') return
      if (isCorrection) corrected.inc({ outcome })
      else ended.inc({ outcome, reason })
    },
  }
}

type Count<Kind extends Measure['kind']> = (measure: Extract<Measure, { kind: Kind }>) => void

function requestMetrics(registers: Registry[]): Count<'request'> {
  const labelNames = ['method', 'route', 'status']
  const counted = new Counter({
    registers,
    name: 'callgate_http_requests_total',
    help: 'HTTP requests whose answer is out, by method, pattern of the route and class of the status.',
    labelNames,
  })
  const took = new Histogram({
    registers,
    name: 'callgate_http_request_seconds',
    help: 'Time until the answer is out, by method and pattern of the route; an event stream counts until its end.',
    labelNames: ['method', 'route'],
    buckets: [...buckets.request],
  })
  return ({ durationMs, method, route, status }) => {
    const at = { method: methodOf(method), route }
    counted.inc({ ...at, status: classOf(status) })
    took.observe(at, seconds(durationMs))
  }
}

function writeMetrics(registers: Registry[]): Count<'write'> {
  const counted = new Counter({
    registers,
    name: 'callgate_database_writes_total',
    help: 'Write transactions, by how they ended; busy: another program held the lock for too long.',
    labelNames: ['outcome'],
  })
  const waited = new Histogram({
    registers,
    name: 'callgate_database_write_wait_seconds',
    help: 'Time until the work of a write begins.',
    buckets: [...buckets.write],
  })
  const took = new Histogram({
    registers,
    name: 'callgate_database_write_seconds',
    help: 'Time from the beginning of the work of a write to its commit, which other writes may share.',
    buckets: [...buckets.write],
  })
  for (const outcome of ['committed', 'rolled_back', 'busy']) counted.inc({ outcome }, 0)
  return ({ durationMs, outcome, waitedMs }) => {
    counted.inc({ outcome })
    waited.observe(seconds(waitedMs))
    if (outcome !== 'busy') took.observe(seconds(durationMs))
  }
}

function mailMetrics(registers: Registry[]): Count<'mail'> {
  const counted = new Counter({
    registers,
    name: 'callgate_mails_total',
    help: 'Attempts to send a mail, by how they ended; failed: it is tried again.',
    labelNames: ['outcome'],
  })
  for (const outcome of ['sent', 'failed', 'given_up']) counted.inc({ outcome }, 0)
  return ({ outcome }) => counted.inc({ outcome })
}

function refusedBeatMetrics(registers: Registry[]): Count<'refused_beats'> {
  const counted = new Counter({
    registers,
    name: 'callgate_refused_beats_total',
    help: 'Beats of a gateway, a minute of them at most, that the database has refused: they are not in its history.',
  })
  return () => counted.inc()
}

function messageMetrics(registers: Registry[]): Count<'message'> {
  const counted = new Counter({
    registers,
    name: 'callgate_mqtt_messages_total',
    help: 'MQTT messages to and from gateways, by direction and type; dropped: received, and not worked on.',
    labelNames: ['direction', 'type'],
  })
  return ({ direction, type }) => counted.inc({ direction, type })
}

/** Metrics that show that the data has gone back. */
function lostDataMetrics(registers: Registry[]) {
  const wentBack = new Counter({
    registers,
    name: 'callgate_data_went_back_total',
    help: 'How often the database was found to lack what had been committed.',
  })
  const strays = new Counter({
    registers,
    name: 'callgate_stray_reports_total',
    help: 'How often gateways told of calls that the database does not know as granted to them, by reports or by beats.',
  })
  return { wentBack: () => wentBack.inc(), strayReport: () => strays.inc() }
}

/** prom-client's types leave out the description of a metric. */
const describe = (metric: object) => {
  const { labelNames = [], name, type } = metric as { name: string; type: string; labelNames?: string[] }
  return { name, type, labels: labelNames }
}

/** Counts from now on, for this process. */
export function createMetrics(parts: MetricsParts): Metrics {
  const { world } = parts
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  for (const name of leftOut) registry.removeSingleMetric(name)
  const { reader, take } = openingMetrics(registers)
  const { strayReport, wentBack } = lostDataMetrics(registers)
  const count: { readonly [Kind in Measure['kind']]: Count<Kind> } = {
    request: requestMetrics(registers),
    write: writeMetrics(registers),
    mail: mailMetrics(registers),
    message: messageMetrics(registers),
    refused_beats: refusedBeatMetrics(registers),
    went_back: wentBack,
    stray_report: strayReport,
  }
  askedMetrics(registers, parts)
  const unfollow = [
    followHops(hop => {
      // Alerts look at gates: a test that lets a call of a sandbox fail must not raise one.
      if (hop.isPlayed) return
      take(hop)
      reader.take(hop, world.monotonicMs())
    }),
    followMeasures(measure => (count[measure.kind] as Count<Measure['kind']>)(measure as never)),
  ]
  return {
    contentType: registry.contentType,
    read: () => registry.metrics(),
    described: () => registry.getMetricsAsArray().map(describe),
    stop() {
      for (const end of unfollow) end()
      registry.clear()
    },
  }
}
