// The checker, with the facts of a real house: a margin, modems that stall, and gates that report every movement.

import { expect, it } from 'vitest'
import { checkFacts } from './checker.ts'
import type { Call, Dial, Facts, GatewayFacts, Opening, SentMessage } from './facts.ts'

const [gatewayId, phoneNumber] = ['gw_1', '+40722000001']

const opening = (id: string, begunMs: number, more: Partial<Opening> = {}): Opening => ({
  id,
  spaceId: 'space_1',
  phoneNumber,
  gatewayId,
  bootId: 'boot',
  grantNonce: id,
  status: 'completed',
  reason: 'answered',
  opened: 'likely',
  confidence: 'assumed',
  joinedOpeningId: null,
  safeToRetry: 0,
  begunMs,
  grantedMs: begunMs + 1_000,
  recordedEndMs: begunMs + 4_000,
  ...more,
})
const dial = (atMs: number): Dial => ({ gatewayId, phoneNumber, atMs })
const call = (atMs: number, more: Partial<Call> = {}): Call => ({
  ...dial(atMs),
  callId: atMs,
  relayFired: true,
  outcome: 'answered',
  readMs: atMs,
  endedAtMs: atMs + 2_000,
  isSleptOver: false,
  ...more,
})
const nothing = { bootId: 'boot', nonce: undefined, phase: undefined, reason: undefined, opened: undefined }
const sent = (openingId: string, atMs: number, reason = 'answered'): SentMessage[] => [
  { ...nothing, kind: 'claim', gatewayId, openingId, atMs, nonce: openingId },
  { ...nothing, kind: 'report', gatewayId, openingId, atMs: atMs + 9_000, phase: 'ended', reason },
]
const gateway: GatewayFacts = {
  gatewayId,
  spaceId: 'space_1',
  couldNotHangUp: [],
  starts: [],
  badDisk: [],
  stood: [],
  modemStood: [],
  lostReplies: [],
  reportsCalls: true,
  violations: [],
}
const facts: Facts = {
  atMs: 100_000,
  presses: 2,
  accepted: [],
  keyed: [],
  stood: [],
  clockSetMs: [],
  databaseSetBackMs: [],
  drift: 0,
  marginMs: 500,
  gatesTellAll: true,
  rows: [opening('open_1', 10_000), opening('open_2', 30_000)],
  ends: new Map([
    ['open_1', 14_000],
    ['open_2', 34_000],
  ]),
  dials: [dial(11_500), dial(31_500)],
  calls: [call(11_500), call(31_500)],
  sent: [...sent('open_1', 10_900), ...sent('open_2', 30_900)],
  gateways: [gateway],
}
const dialledAt = (atMs: number): Partial<Facts> => ({
  dials: [dial(11_500), dial(atMs)],
  calls: [call(11_500), call(atMs)],
})
const firstIs = (more: Partial<Opening>): Partial<Facts> => ({
  rows: [opening('open_1', 10_000, more), opening('open_2', 30_000)],
})
const stops = (fromMs: number, toMs: number): Partial<Facts> => ({
  gateways: [{ ...gateway, modemStood: [{ fromMs, toMs }] }],
})

it.each<readonly [name: string, more: Partial<Facts>]>([
  ['one call after the other', {}],
  ['a call just within the margin', dialledAt(37_400)],
  [
    'a call that a modem which stalled read when it went on',
    { ...dialledAt(60_400), ...stops(36_000, 60_000) },
  ],
  ['a call just after the cool-down, by the record', firstIs({ recordedEndMs: 27_000 })],
  [
    'a call at once after one of which nothing was dialled',
    {
      ...firstIs({
        status: 'failed',
        reason: 'not_dialled',
        opened: 'no',
        confidence: 'certain',
        recordedEndMs: 31_400,
      }),
      dials: [dial(31_500)],
      calls: [call(31_500)],
      sent: sent('open_2', 30_900),
    },
  ],
])('find nothing in: %s', (_, more) => {
  expect(checkFacts({ ...facts, ...more })).toEqual([])
})

it.each<readonly [violation: string, more: Partial<Facts>]>([
  ['P8: open_2 was dialled 6501 ms after its claim', dialledAt(37_401)],
  [
    'P8: open_2 was dialled 29601 ms after its claim',
    {
      ...dialledAt(60_501),
      ...stops(36_000, 60_000),
      rows: [opening('open_1', 10_000), opening('open_2', 30_000, { grantedMs: 40_000 })],
      accepted: [{ openingId: 'open_2', pressedMs: 50_000 }],
    },
  ],
  ['P5: open_2 was called 501 ms too soon after open_1', firstIs({ recordedEndMs: 27_001 })],
  [
    'A3: open_1 is recorded as opened, and nothing was dialled',
    { dials: [dial(31_500)], calls: [call(31_500)] },
  ],
  [
    'A3: open_1 is recorded as not_dialled, and it was dialled',
    {
      ...firstIs({ status: 'failed', reason: 'not_dialled', opened: 'unknown', confidence: 'unknown' }),
      sent: [...sent('open_1', 10_900, 'not_dialled'), ...sent('open_2', 30_900)],
    },
  ],
  [
    'A3: open_1 is recorded as opened, and the gate did not move',
    { calls: [call(11_500, { relayFired: false }), call(31_500)] },
  ],
  [
    'A3: open_1 is recorded as not opened, and the gate moved',
    firstIs({ status: 'failed', opened: 'no', safeToRetry: 0 }),
  ],
  ['A2: open_1 is still connected', firstIs({ status: 'connected' })],
])('find: %s', (violation, more) => {
  expect(checkFacts({ ...facts, ...more })).toEqual([violation])
})

it('allows a likely verdict of a call whose end nobody told, and no certain one', () => {
  const untold = call(11_500, { relayFired: false, outcome: 'network_ended', isEndUntold: true })
  const with1 = (confidence: string) =>
    checkFacts({ ...facts, ...firstIs({ confidence }), calls: [untold, call(31_500)] })
  expect(with1('likely')).toEqual([])
  expect(with1('certain')).toEqual(['A3: open_1 is recorded as opened, and the gate did not move'])
})

it('believes an assumed verdict where gates have faults', () => {
  const doubted = {
    ...facts,
    gatesTellAll: false,
    calls: facts.calls.map(one => ({ ...one, relayFired: false })),
  }
  expect(checkFacts(doubted)).toEqual([])
})
