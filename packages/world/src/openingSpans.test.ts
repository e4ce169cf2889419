import { expect, it } from 'vitest'
import { openingSpans, type Span, traceIdOf } from './openingSpans.ts'

const openingId = 'open_01kdhx3m8e2w7q5v9z4r6t8y0a'
const cloudHops = [
  [10, 'pressed', { sinceMs: 0, outcome: 'lead' }],
  [11, 'hinted', {}],
  [50, 'claim', {}],
  [60, 'granted', { outcome: 'refused' }],
  [90, 'claim', {}],
  [100, 'granted', { outcome: 'granted' }],
  [200, 'report', {}],
  [900, 'report', {}],
  [905, 'ended', { outcome: 'failed', reason: 'busy' }],
  [907, 'answered', {}],
] as const
const gatewayHops = [
  [20, 'hint', {}],
  [40, 'claimed', {}],
  [105, 'grant', {}],
  [110, 'intentKept', {}],
  [112, 'dialling', {}],
  [890, 'callEnded', {}],
  [910, 'acknowledged', {}],
] as const

function spansOf(program: 'cloud' | 'gateway'): Span[] {
  const spans = openingSpans(program)
  const all = [...cloudHops, ...gatewayHops].sort(([a], [b]) => a - b)
  return all.flatMap(([atMs, point, more]) => spans.take({ point, openingId, ...more }, atMs))
}
const told = ({ endMs, name, startMs }: Span) => `${name} ${startMs}-${endMs}`

it('makes the spans of each program, each once', () => {
  expect(spansOf('cloud').map(told)).toEqual([
    'press 0-10',
    'hint 10-11',
    'grant 90-100',
    'opening 0-905',
    'commit 900-905',
    'request 0-907',
    'answer 905-907',
  ])
  expect(spansOf('gateway').map(told)).toEqual([
    'reserve 20-40',
    'claim 40-105',
    'INTENT 105-110',
    'ATD 110-112',
    'call 112-890',
    'report 890-910',
  ])
})

it('makes one trace of both: the ids depend on the opening, and each parent exists', () => {
  const both = [...spansOf('cloud'), ...spansOf('gateway')]
  const byId = new Map(both.map(span => [span.spanId, span]))
  expect(byId.size).toBe(both.length)
  const parents = both.map(({ name, parentSpanId = '' }) => `${byId.get(parentSpanId)?.name} > ${name}`)
  expect(parents).toEqual([
    'opening > press',
    'opening > hint',
    'claim > grant',
    'undefined > opening',
    'report > commit',
    'opening > request',
    'request > answer',
    ...['reserve', 'claim', 'INTENT', 'ATD', 'call', 'report'].map(name => `opening > ${name}`),
  ])
  expect(new Set(both.map(({ traceId }) => traceId))).toEqual(new Set([traceIdOf(openingId)]))
  expect(traceIdOf(openingId)).toMatch(/^[0-9a-f]{32}$/)
  expect(both.every(({ spanId }) => /^[0-9a-f]{16}$/.test(spanId))).toBe(true)
})

it('names how the opening ended, and nothing else besides its id', () => {
  const ends = spansOf('cloud').filter(({ hasFailed }) => hasFailed)
  const outcome = { 'callgate.outcome': 'failed', 'callgate.reason': 'busy' }
  expect(ends.map(({ attributes, name }) => [name, attributes])).toEqual([
    ['opening', { 'callgate.opening_id': openingId, ...outcome }],
  ])
})

it('leaves out spans whose beginning it did not see, and points without an opening', () => {
  const spans = openingSpans('gateway')
  expect(spans.take({ point: 'timePassed' }, 1)).toEqual([])
  expect(spans.take({ point: 'callEnded', openingId }, 2)).toEqual([])
  expect(spans.take({ point: 'acknowledged', openingId }, 3).map(told)).toEqual(['report 2-3'])
})

it('drops the oldest opening beyond its limit', () => {
  const spans = openingSpans('gateway')
  for (let place = 0; place <= 1_000; place++) spans.take({ point: 'hint', openingId: `open_${place}` }, 0)
  expect(spans.take({ point: 'claimed', openingId: 'open_0' }, 1)).toEqual([])
  expect(spans.take({ point: 'claimed', openingId: 'open_1000' }, 1)).toHaveLength(1)
})
