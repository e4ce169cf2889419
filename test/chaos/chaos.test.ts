// Real processes, a short set: one house, and the points at which most could be lost or done twice.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Facts, judge } from './judge.ts'
import { points } from './points.ts'
import { chaosBundles, type RealHouse, startRealHouse } from './realHouse.ts'
import { tryPoint } from './trial.ts'

const short = [
  'cloud-killed-before-grant',
  'cloud-killed-after-verdict',
  'gateway-killed-after-grant',
  'gateway-killed-relay',
  'gateway-killed-before-ack',
  'simulator-killed-ringing',
  'cut-before-grant',
]

describe('real processes', () => {
  let house: RealHouse
  beforeAll(async () => {
    house = await startRealHouse(await chaosBundles(() => {}))
  }, 300_000)
  afterAll(() => house?.close())

  it.each(short)('keep what is promised: %s', async name => {
    const point = points.find(one => one.name === name)
    const gate = house.gates[short.indexOf(name)]
    const apiKey = house.apiKeys[short.indexOf(name) % house.apiKeys.length]
    if (!point || !gate || !apiKey) throw new Error('no such point, or the house is too small')
    const trial = await tryPoint(house, point, { gate, apiKey })
    expect(trial).toMatchObject({ isHit: true, violations: [] })
  })
})

describe('the table', () => {
  it('names each point once', () => {
    expect(new Set(points.map(({ name }) => name)).size).toBe(points.length)
  })
})

describe('the judge', () => {
  const row = {
    id: 'open_1',
    status: 'completed',
    reason: 'rejected_after_ring',
    opened: 'likely',
    confidence: 'assumed',
    calledAt: '2026-01-01T00:00:00.000Z',
    grantedAt: '2026-01-01T00:00:01.000Z',
    completedAt: '2026-01-01T00:00:03.000Z',
  }
  const acceptedMs = Date.parse(row.calledAt)
  const answered = { openingId: row.id, opened: true }
  const facts: Facts = {
    dialledAtMs: [acceptedMs + 1_100],
    relayFired: true,
    rows: [row],
    answered,
    replayed: answered,
    claimedAtMs: acceptedMs + 1_000,
    simulatorStoppedMs: 0,
    counted: 1,
  }
  const denied = { ...row, status: 'failed', opened: 'no', confidence: 'certain', reason: 'not_dialled' }
  const notOpened = { ...facts, counted: 0, replayed: { ...answered, opened: false } }

  it('has nothing against what went well', () => {
    expect(judge(facts)).toEqual([])
    expect(judge({ ...notOpened, rows: [denied], dialledAtMs: [], relayFired: false })).toEqual([])
  })

  const bad: readonly [string, RegExp, Facts][] = [
    ['a second ATD', /double: 2 ATD/, { ...facts, dialledAtMs: [acceptedMs + 1_100, acceptedMs + 1_900] }],
    ['a second opening', /double: 2 openings/, { ...facts, rows: [row, row] }],
    ['an ATD long after acceptance', /after acceptance/, { ...facts, dialledAtMs: [acceptedMs + 19_000] }],
    ['an ATD long after its claim', /after its claim/, { ...facts, dialledAtMs: [acceptedMs + 7_600] }],
    ['no opening', /lost/, { ...facts, rows: [] }],
    ['another opening', /lost/, { ...facts, replayed: { openingId: 'open_2', opened: true } }],
    [
      'an opening that runs',
      /not ended/,
      { ...facts, rows: [{ ...row, status: 'connected', completedAt: null }] },
    ],
    ['a call that was not dialled', /there was an ATD/, { ...notOpened, rows: [denied] }],
    ['a certain no that moved', /the relay fired/, { ...notOpened, rows: [{ ...denied, reason: 'busy' }] }],
    ['a completed opening without a call', /without an ATD/, { ...facts, dialledAtMs: [] }],
    ['an ATD without a grant', /without a grant/, { ...facts, rows: [{ ...row, grantedAt: null }] }],
    ['a wrong counter', /counted 2/, { ...facts, counted: 2 }],
    ['a wrong answer', /answered opened false/, { ...facts, replayed: { ...answered, opened: false } }],
  ]
  it.each(bad)('sees %s', (_, words, told) => {
    expect(judge(told).join('; ')).toMatch(words)
  })
})
