import type { GatewayHistory } from '@callgate/contract/app/gateway'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  axisOf,
  callEnd,
  callMarks,
  countCalls,
  gapsOf,
  knownSince,
  onlineStates,
  spanOf,
} from './overTime.ts'
import { warningsOf } from './warnings.ts'

const from = '2026-03-20T12:00:00.000Z'
const minute = 60_000

/** A history of minutes with the given online seconds. Half of the last minute has passed. */
function historyOf(onlineS: readonly (number | null)[], given: Partial<GatewayHistory> = {}): GatewayHistory {
  const empty = onlineS.map(() => null)
  const lengthS = (onlineS.length - 0.5) * 60
  return {
    from,
    to: new Date(Date.parse(from) + lengthS * 1000).toISOString(),
    stepS: 60,
    onlineS: [...onlineS],
    signalDbm: empty,
    supplyMv: empty,
    registration: empty,
    calls: [],
    hasMoreCalls: false,
    onlineTotalS: 0,
    sinceS: lengthS,
    ...given,
  }
}

const call = (kind: GatewayHistory['calls'][number]['class'], calledAt = from) => ({
  openingId: 'op_1',
  gateId: 'gate_1',
  gateName: 'Yard',
  calledAt,
  class: kind,
})

const online = {
  state: 'online' as const,
  since: from,
  cutOffUntil: null,
  lastHeardAt: from,
  modem: {
    state: 'ready',
    model: 'SIM800C',
    firmware: null,
    lacks: [],
    operator: 'Orange RO',
    registration: 'home',
    signalDbm: -71,
    supplyMv: 4_000,
    trouble: null,
  },
  version: '1.4.2',
  uptimeS: 60,
  queueLength: 0,
  toReport: 0,
  tooOld: null,
}

it('distinguishes online from partly online and not heard, and leaves out what has just begun', () => {
  expect(onlineStates(historyOf([60, 35, null, 0, 60, 21]))).toEqual(['on', 'part', 'off', 'off', 'on', 'on'])
  expect(onlineStates(historyOf([60, 60, null]))).toEqual(['on', 'on', null])
})

it('leaves out the time before the gateway was added', () => {
  expect(onlineStates(historyOf([null, null, 25, 60, 20], { sinceS: 115 }))).toEqual([
    null,
    null,
    'on',
    'on',
    'on',
  ])
})

it('joins missing time to gaps that neither touch nor overlap', () => {
  const startMs = Date.parse(from)
  expect(gapsOf(historyOf([60, 35, null, 60, 0, 60, 25]))).toEqual([
    { fromMs: startMs + minute, toMs: startMs + 3 * minute },
    { fromMs: startMs + 4 * minute, toMs: startMs + 5 * minute },
  ])
  const seconds = fc.array(fc.option(fc.integer({ min: 0, max: 60 })), { minLength: 1, maxLength: 50 })
  fc.assert(
    fc.property(seconds, values => {
      const history = historyOf(values)
      const { fromMs, toMs } = axisOf(history)
      let lastMs = fromMs - 1
      for (const gap of gapsOf(history)) {
        expect(gap.fromMs).toBeGreaterThan(lastMs)
        expect(gap.toMs).toBeGreaterThan(gap.fromMs)
        expect(gap.toMs).toBeLessThanOrEqual(toMs)
        lastMs = gap.toMs
      }
    }),
  )
})

it('counts calls by their results', () => {
  const calls = [
    call('opened'),
    call('probably_opened'),
    call('unknown'),
    call('did_not_open'),
    call('running'),
  ]
  expect(countCalls(historyOf([60], { calls }))).toEqual({ well: 2, didNot: 1, unknown: 1, running: 1 })
  expect(callEnd('not_called')).toBe('didNot')
})

it('draws no good call over another one', () => {
  const calls = [call('did_not_open'), call('unknown'), call('opened'), call('running')]
  const marks = callMarks(historyOf([60], { calls }))
  expect(marks.map(({ look }) => look)).toEqual(['well', 'running', 'unknown', 'didNot'])
})

it('knows the lowest, the highest and the last value', () => {
  expect(spanOf([null, -80, -60, -71, null])).toEqual({ low: -80, high: -60, last: -71 })
  expect(spanOf([null])).toBeUndefined()
})

it('warns of a failing supply, with the call that it cut', () => {
  const at = new Date(Date.parse(from) + 65_000).toISOString()
  const calls = [call('unknown', at), call('opened', at), call('unknown', '2026-03-20T09:00:00.000Z')]
  const history = historyOf([60, 60, 60], { supplyMv: [4_000, 3_430, 3_900], calls })
  const now = { callerNumber: '+40740000111', now: online }
  expect(warningsOf(now, history)).toEqual([
    { is: 'supply', mV: 3_430, at: '2026-03-20T12:01:00.000Z', calls: [at] },
  ])
  const trouble = { word: 'brownout', says: 'It gives way.' }
  const troubled = { ...now, now: { ...online, modem: { ...online.modem, trouble } } }
  expect(warningsOf(troubled, history)).toEqual([{ is: 'trouble', ...trouble, calls: [at] }])
})

it('gives the warnings of a gateway, and none for a revoked one', () => {
  const kinds = (
    given: Partial<typeof online> | { state: 'offline' | 'new' | 'revoked' },
    number: string | null,
  ) => warningsOf({ callerNumber: number, now: { ...online, ...given } }).map(({ is }) => is)
  expect(kinds({}, '+40740000111')).toEqual([])
  expect(kinds({}, null)).toEqual(['number'])
  expect(kinds({ modem: { ...online.modem, signalDbm: -97 } }, null)).toEqual(['signal', 'number'])
  expect(kinds({ state: 'offline' }, '+40740000111')).toEqual(['offline'])
  expect(kinds({ state: 'new' }, null)).toEqual(['new', 'number'])
  expect(kinds({ state: 'revoked' }, null)).toEqual([])
})

it('tells since when there are figures', () => {
  const silent = Array<null>(100).fill(null)
  const lateBy = (minutes: number) => historyOf(silent.map((none, place) => (place < minutes ? none : 60)))
  expect(knownSince(historyOf(silent))).toBe('none')
  expect(knownSince(lateBy(0))).toBe('all')
  expect(knownSince(lateBy(2))).toBe('all')
  expect(knownSince(lateBy(40))).toBe(Date.parse(from) + 40 * minute)
  const signalDbm = silent.map((none, place) => (place < 30 ? none : -71))
  expect(knownSince(historyOf(silent, { signalDbm }))).toBe(Date.parse(from) + 30 * minute)
})
