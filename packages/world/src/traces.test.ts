import { createServer, type IncomingMessage, type Server } from 'node:http'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fakeWorld, settle } from './fake.ts'
import { passed } from './hops.ts'
import { traceIdOf } from './openingSpans.ts'
import { startTraces } from './traces.ts'
import { readTraceTarget } from './traceTarget.ts'

/** The part of OTLP/HTTP in JSON that a collector reads. */
interface Received {
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: {
    readonly resourceSpans: readonly {
      readonly resource: { readonly attributes: readonly { key: string; value: { stringValue: string } }[] }
      readonly scopeSpans: readonly { readonly spans: readonly Record<string, unknown>[] }[]
    }[]
  }
}

let collector: Server
let received: Received[] = []
let status = 200
let endpoint = ''

beforeEach(async () => {
  received = []
  status = 200
  collector = createServer((request, response) => {
    let text = ''
    request.on('data', chunk => {
      text += chunk
    })
    request.on('end', () => {
      received.push({ url: request.url, headers: request.headers, body: JSON.parse(text) })
      response.writeHead(status, { 'Content-Type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>(resolve => collector.listen(0, '127.0.0.1', resolve))
  const address = collector.address()
  endpoint = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterEach(async () => {
  collector.closeAllConnections()
  await new Promise(resolve => collector.close(resolve))
})

function target(headers?: string, to = endpoint) {
  const read = readTraceTarget(to, headers)
  if (!read.ok || !read.target) throw new Error('no target')
  return read.target
}
const about = { program: 'gateway', version: '1.2.3' } as const
const openingId = 'open_01kdhx3m8e2w7q5v9z4r6t8y0a'

it('sends spans together, in the format of a collector', async () => {
  const world = fakeWorld(1)
  const traces = startTraces(world, target('api-key=a%20b,x=y'), about)
  passed('hint', { openingId })
  await world.advance(30)
  passed('claimed', { openingId })
  await world.advance(12)
  passed('grant', { openingId })
  await world.advance(2_000)
  await expect.poll(() => received).toHaveLength(1)
  const { body, headers = {}, url }: Partial<Received> = received[0] ?? {}
  expect([url, headers['api-key'], headers['x'], headers['content-type']]).toEqual([
    '/v1/traces',
    'a b',
    'y',
    'application/json',
  ])
  const [resourceSpans] = body?.resourceSpans ?? []
  expect(resourceSpans?.resource.attributes).toEqual([
    { key: 'service.name', value: { stringValue: 'callgate-gateway' } },
    { key: 'service.version', value: { stringValue: '1.2.3' } },
  ])
  const startMs = Date.UTC(2026, 0, 5, 8)
  // The clock of the spans has fractions, and the wall clock has none.
  const whole = (nanoseconds: unknown) => `${Math.round(Number(nanoseconds) / 1e6)}000000`
  const spans = resourceSpans?.scopeSpans[0]?.spans.map(
    ({ endTimeUnixNano, startTimeUnixNano, ...span }) => ({
      ...span,
      startTimeUnixNano: whole(startTimeUnixNano),
      endTimeUnixNano: whole(endTimeUnixNano),
    }),
  )
  expect(spans).toMatchObject([
    {
      traceId: traceIdOf(openingId),
      name: 'reserve',
      kind: 1,
      startTimeUnixNano: `${startMs}000000`,
      endTimeUnixNano: `${startMs + 30}000000`,
      attributes: [{ key: 'callgate.opening_id', value: { stringValue: openingId } }],
      status: {},
    },
    { name: 'claim', startTimeUnixNano: `${startMs + 30}000000`, endTimeUnixNano: `${startMs + 42}000000` },
  ])
  await traces.stop()
  passed('intentKept', { openingId })
  await world.advance(10_000)
  expect(received).toHaveLength(1)
})

it('sends the waiting spans when it stops', async () => {
  const traces = startTraces(fakeWorld(1), target(), about)
  passed('hint', { openingId })
  passed('claimed', { openingId })
  await traces.stop()
  expect(received).toHaveLength(1)
})

it('drops spans that a collector refuses or does not accept, and logs that without its login', async () => {
  const world = fakeWorld(1)
  status = 401
  const refused = startTraces(world, target('authorization=Bearer%20s3cret'), about)
  passed('hint', { openingId })
  passed('claimed', { openingId })
  await refused.stop()
  const gone = startTraces(world, target(undefined, 'http://127.0.0.1:1'), about)
  await world.advance(2_000)
  passed('hint', { openingId })
  passed('claimed', { openingId })
  await gone.stop()
  expect(world.lines.map(({ fields, message }) => [message, fields['spans']])).toEqual([
    ['traces were refused', 1],
    ['traces were not sent', 1],
  ])
  expect(JSON.stringify(world.lines)).not.toContain('s3cret')
})

it('waits a limited time for a silent collector', async () => {
  const world = fakeWorld(1)
  collector.removeAllListeners('request')
  const traces = startTraces(world, target(), about)
  passed('hint', { openingId })
  passed('claimed', { openingId })
  let isStopped = false
  void traces.stop().then(() => {
    isStopped = true
  })
  await settle()
  expect(isStopped).toBe(false)
  await world.advance(2_000)
  expect(isStopped).toBe(true)
})

it.each([
  ['localhost:4318', undefined, 'OTEL_EXPORTER_OTLP_ENDPOINT must be'],
  ['http://user:secret@localhost:4318', undefined, 'OTEL_EXPORTER_OTLP_ENDPOINT must be'],
  ['http://localhost:4318', 'secret', 'OTEL_EXPORTER_OTLP_HEADERS must be'],
  ['http://localhost:4318', 'a b=secret', 'OTEL_EXPORTER_OTLP_HEADERS must be'],
  ['http://localhost:4318', 'key=%', 'OTEL_EXPORTER_OTLP_HEADERS must be'],
])('rejects %s with %s, and repeats no value', (to, headers, words) => {
  const read = readTraceTarget(to, headers)
  expect(read).toMatchObject({ ok: false, message: expect.stringContaining(words) })
  expect(JSON.stringify(read)).not.toContain('secret')
})

it.each([
  [undefined, undefined],
  ['', undefined],
  ['http://localhost:4318/', 'http://localhost:4318/v1/traces'],
  ['https://otel.example.com/base', 'https://otel.example.com/base/v1/traces'],
])('reads %s as %s', (to, url) => {
  const read = readTraceTarget(to, undefined)
  expect(read.ok && read.target?.url).toBe(url)
})
