// The checker of events detects each step that is missing, doubled or out of order, and each event that a stream leaves out.

import { expect, it } from 'vitest'
import { checkSteps, checkTold } from './eventChecker.ts'

const row = {
  id: 'open_1',
  gatewayId: 'gw_1',
  apiKeyId: 'key_1',
  joinedOpeningId: null,
  status: 'completed',
  reason: 'rejected_after_ring',
  opened: 'likely',
  confidence: 'assumed',
  calledAt: '2026-01-01T00:00:00.000Z',
  grantedAt: '2026-01-01T00:00:01.000Z',
  completedAt: '2026-01-01T00:00:03.000Z',
}
const at = row.calledAt
const eventsOf = (...steps: string[]) =>
  steps.map((step, place) => ({ seq: place + 7, at, kind: `opening.${step}`, targetId: row.id }))
const whole = eventsOf('asked', 'calling', 'ringing', 'taken', 'ended')

it('accepts the steps of an opening in their order', () => {
  expect(checkSteps([row], [...whole, { seq: 99, at, kind: 'gate.created', targetId: 'gate_1' }])).toEqual([])
  const refused = { ...row, status: 'failed', reason: 'interrupted', grantedAt: null }
  expect(checkSteps([refused], eventsOf('asked', 'ended'))).toEqual([])
})

it('accepts one report that corrects an end without a report, after 90 s', () => {
  const steps = ['asked', 'calling', 'ended', 'taken', 'ended']
  const late = eventsOf(...steps).map((event, place) =>
    place < 2 ? event : { ...event, at: '2026-01-01T00:01:30.000Z' },
  )
  expect(checkSteps([row], late)).toEqual([])
  const again = [...late, ...late.slice(-2)]
  expect(checkSteps([row], again)).toEqual([expect.stringMatching(/go back/)])
  expect(checkSteps([row], eventsOf(...steps))).toEqual([expect.stringMatching(/go back/)])
  expect(checkSteps([{ ...row, reason: 'no_report' }], late)).toEqual([expect.stringMatching(/go back/)])
  const calledAfter = ['asked', 'ended', 'calling', 'taken', 'ended']
  const wrong = eventsOf(...calledAfter).map((event, place) => ({ ...event, at: late[place]?.at ?? at }))
  const [first, ...rest] = wrong
  const afterEnd = [...(first ? [first] : []), ...rest.map(event => ({ ...event, at: late[2]?.at ?? at }))]
  expect(checkSteps([row], afterEnd)).toEqual([expect.stringMatching(/go back/)])
})

it.each([
  ['twice', /go back/, eventsOf('asked', 'calling', 'calling', 'taken', 'ended')],
  ['in another order', /go back/, eventsOf('asked', 'ringing', 'calling', 'taken', 'ended')],
  ['without an end', /no end/, eventsOf('asked', 'calling', 'taken')],
  ['none', /no beginning/, []],
  ['not as the row has it', /do not fit completed/, eventsOf('asked', 'calling', 'ended')],
  ['without the grant', /leave out its grant/, eventsOf('asked', 'taken', 'ended')],
])('detects steps that come %s', (_, words, events) => {
  expect(checkSteps([row], events)).toEqual([expect.stringMatching(words)])
})

const told = whole.map(({ kind, seq }) => ({ id: seq, data: { kind } }))

it('accepts a stream that begins late and delivers the rest once', () => {
  expect(checkTold(told, whole)).toEqual([])
  expect(checkTold(told.slice(2), whole)).toEqual([])
})

it.each([
  ['leaves one out', /8 opening.calling is committed, told was 9/, told.filter(({ id }) => id !== 8)],
  ['ends early', /11 opening.ended is committed, told was nothing/, told.slice(0, -1)],
  ['tells one twice', /is committed, told was 8/, [...told.slice(0, 2), ...told.slice(1)]],
  ['tells too many', /1 too many/, [...told, { id: 12, data: { kind: 'opening.ended' } }]],
  [
    'tells another event',
    /told was 8 opening.ended/,
    told.map(one => (one.id === 8 ? { id: 8, data: { kind: 'opening.ended' } } : one)),
  ],
])('detects a stream that %s', (_, words, stream) => {
  expect(checkTold(stream, whole)).toEqual([expect.stringMatching(words)])
})
