// The checks of the simulation: they find nothing in a correct run, and each finds its violation in a wrong one.

import { expect, it } from 'vitest'
import type { Call } from '../../checker/facts.ts'
import { check as checkWith } from './checks.ts'
import { eventsOf } from './eventsOf.kit.ts'
import { call, claim, deaf, dial, gateway, good, notOpened, pressedMs, report, row } from './rightRun.kit.ts'
import type { Truth } from './truth.ts'

/** With the events that the rows should have. */
const check = (truth: Truth) => checkWith({ ...truth, events: eventsOf(truth.rows) })

const late = { ...dial, atMs: pressedMs + 18_001 }
const lateClaim = { ...claim, atMs: pressedMs + 17_000 }
const { endedAtMs: _, ...endless } = { ...call, readMs: 11_105 }
const held = { ...call, endedAtMs: call.readMs + 66_000 }
const joined = { ...row, id: 'open_2', joinedOpeningId: row.id, usageHeld: 0, grantedMs: null }
const withJoined = { rows: [row, joined], ends: new Map([...good.ends, [joined.id, pressedMs + 8_600]]) }
const lateEnd = (afterMs: number) => new Map([[row.id, pressedMs + afterMs]])
/** A second opening of the same gate, called by another gateway. */
const next = {
  row: {
    ...row,
    id: 'open_2',
    gatewayId: 'gw_2',
    grantedMs: 30_000,
    begunMs: 29_000,
    accessId: null,
    status: 'failed',
    opened: 'unknown',
    reason: 'dropped',
  },
  dial: { ...dial, atMs: 30_100, gatewayId: 'gw_2', intents: new Set(['open_2']) },
  call: {
    ...call,
    callId: 2,
    atMs: 30_100,
    readMs: 30_105,
    endedAtMs: 33_000,
    gatewayId: 'gw_2',
    relayFired: false,
  },
  sent: [
    { ...claim, openingId: 'open_2', atMs: 29_900, gatewayId: 'gw_2' },
    { ...report, openingId: 'open_2', atMs: 33_500, gatewayId: 'gw_2', reason: 'dropped' },
  ],
}
const both = (first: Partial<Call>): Partial<Truth> => ({
  rows: [row, next.row],
  dials: [dial, next.dial],
  calls: [{ ...call, ...first }, next.call],
  sent: [claim, report, ...next.sent],
  ends: new Map([...good.ends, ['open_2', 33_600]]),
})

it.each<readonly [name: string, wrong: Partial<Truth>]>([
  ['nothing', {}],
  ['a joiner that is not counted', withJoined],
  ['a dial at the last moment', { dials: [{ ...late, atMs: late.atMs - 1 }], sent: [lateClaim, report] }],
  [
    'a grant before the change',
    { forbidden: [{ change: 'key revoked', atMs: 11_000, of: { apiKeyId: 'key_1' } }] },
  ],
  [
    'a call that nobody could end',
    { calls: [held], gateways: [{ ...gateway, couldNotHangUp: [{ fromMs: 20_000, toMs: 30_000 }] }] },
  ],
  ['an end at the last moment', { ends: lateEnd(90_000) }],
  [
    'an end after a stall that began while it was written',
    { stood: [{ fromMs: pressedMs + 90_002, toMs: pressedMs + 100_000 }], ends: lateEnd(99_999) },
  ],
  [
    'an end that a slow database writes while its statements take their time',
    { endTakesMs: 200, ends: lateEnd(90_202) },
  ],
  [
    'an end 5 s after the cloud was back',
    {
      away: [
        { fromMs: 20_000, toMs: 30_000 },
        { fromMs: 95_000, toMs: 103_000 },
        { fromMs: 107_999, toMs: 110_000 },
      ],
      ends: lateEnd(105_000),
    },
  ],
  [
    'the end of a joiner with a call whose age nobody knew: the clock was set after its press',
    {
      ...withJoined,
      rows: [row, { ...joined, begunMs: row.begunMs + 300 }],
      away: [{ fromMs: row.begunMs + 20_000, toMs: row.begunMs + 30_000 }],
      clockSetMs: [row.begunMs + 200],
      ends: new Map([row, joined].map(({ id }) => [id, row.begunMs + 91_000])),
    },
  ],
  [
    'a call just after another that the clock was set in, by a cloud that has begun since',
    { ...both({ endedAtMs: 28_000 }), clockSetMs: [11_000], cloudBegunMs: new Map([['open_2', 12_000]]) },
  ],
  ['a call 4 s after another', both({ endedAtMs: 26_105 })],
  [
    'an ATD that the modem slept over',
    {
      calls: [{ ...call, readMs: 40_000, endedAtMs: 48_000, isSleptOver: true }],
      sent: [claim, { ...report, atMs: 48_500 }],
    },
  ],
  [
    'a use given back for an ATD that the modem refused',
    {
      calls: [{ ...call, outcome: 'refused', relayFired: false }],
      rows: [{ ...row, status: 'failed', opened: 'no', reason: 'rejected_after_ring', usageHeld: 0 }],
    },
  ],
  [
    'that nobody knows, where a later boot has not dialled',
    {
      sent: [claim, { ...report, bootId: 'later', phase: 'not_dialled', reason: undefined }],
      rows: [{ ...row, status: 'failed', opened: 'unknown', reason: 'outcome_unknown' }],
    },
  ],
  [
    'that nobody knows, told after 80 s of a modem that sleeps on',
    {
      calls: [{ ...call, readMs: 100_000, endedAtMs: 100_100, isSleptOver: true }],
      sent: [claim, { ...report, atMs: dial.atMs + 79_999.5, opened: 'unknown' }],
      ends: lateEnd(82_000),
    },
  ],
  [
    'a byte that ends the dial of an earlier run, where the first was not heard',
    {
      gateways: [
        {
          ...gateway,
          violations: [{ atMs: 12_500, violation: 'byte_during_dial' }],
          starts: [{ atMs: 12_000, diedMs: 11_500, leftover: 'kept' }],
          couldNotHangUp: [{ fromMs: 12_000, toMs: 13_000 }],
        },
      ],
    },
  ],
  [
    'a verdict that was lost with its journal',
    {
      sent: [claim, { ...report, reason: 'busy' }],
      rows: [{ ...row, status: 'failed', opened: 'unknown', reason: 'outcome_unknown' }],
      gateways: [{ ...gateway, starts: [{ atMs: 19_000, diedMs: 18_900, leftover: 'wiped' }] }],
    },
  ],
  [
    'a gate that moved in a call of which the line lost a part in a pause of the machine, within 4 s by its clocks',
    { rows: notOpened, gateways: [deaf(call.readMs)] },
  ],
  [
    'a gate that moved in a call of which the modem reports no ringing, in a pause of the machine',
    {
      rows: notOpened,
      calls: [{ ...call, isRingingUntold: true }],
      gateways: [{ ...deaf(call.readMs), lostReplies: [] }],
    },
  ],
  [
    'a gate that moved in a call of a modem without reports that was not asked in a pause of the machine',
    { rows: notOpened, gateways: [{ ...deaf(call.readMs), lostReplies: [], reportsCalls: false }] },
  ],
  [
    'a verdict of which the gateway died before it was written down',
    {
      sent: [claim, { ...report, reason: 'busy' }],
      rows: [{ ...row, status: 'timeout', opened: 'unknown', reason: 'outcome_unknown' }],
      gateways: [{ ...gateway, starts: [{ atMs: 19_000, diedMs: report.atMs, leftover: 'kept' }] }],
    },
  ],
])('find nothing in: %s', (_, wrong) => {
  expect(check({ ...good, ...wrong })).toEqual([])
})

it.each<readonly [violation: string, wrong: Partial<Truth>]>([
  [
    'P1: gw_1 +40722000001 had 2 calls for 1 ATD',
    { calls: [call, { ...call, callId: 2, relayFired: false }], caps: [] },
  ],
  ['P1: open_1 was called 2 times', { dials: [dial, { ...dial, atMs: dial.atMs + 10 }] }],
  ['P2: open_1 was called 18001 ms after its press', { dials: [late], sent: [lateClaim, report] }],
  [
    'P3: open_1 was granted after: key revoked',
    { forbidden: [{ change: 'key revoked', atMs: 10_999, of: { apiKeyId: 'key_1' } }] },
  ],
  [
    'P5: byte_during_dial at 7 ms',
    { gateways: [{ ...gateway, violations: [{ atMs: 7, violation: 'byte_during_dial' }] }] },
  ],
  [
    'P2: open_1 was called 18001 ms after its press',
    {
      calls: [{ ...call, readMs: pressedMs + 18_001, endedAtMs: 30_000 }],
      sent: [claim, { ...report, atMs: 30_000 }],
    },
  ],
  [
    'P5: byte_during_dial at 12500 ms',
    {
      gateways: [
        {
          ...gateway,
          violations: [{ atMs: 12_500, violation: 'byte_during_dial' }],
          starts: [{ atMs: 12_000, diedMs: 11_500, leftover: 'kept' }],
        },
      ],
    },
  ],
  [
    'P5: +40722000001 was called at 30105 ms, and another call was not over',
    both({ relayFired: true, endedAtMs: 30_106 }),
  ],
  ['P5: +40722000001 was called at 30105 ms, 3999 ms after it had opened', both({ endedAtMs: 26_106 })],
  [
    'P6: a report at 18500 ms, and the ATD of open_1 was not read yet',
    { calls: [{ ...call, readMs: 18_501, endedAtMs: 19_000 }] },
  ],
  [
    'P6: a claim at 12000 ms, and the ATD of open_1 was not read yet',
    {
      calls: [{ ...call, readMs: 12_001 }],
      sent: [claim, report, { ...claim, openingId: 'open_2', nonce: 'another', atMs: 12_000 }],
    },
  ],
  [
    'P6: a report at 91100 ms, and the ATD of open_1 was not read yet',
    {
      calls: [{ ...call, readMs: 100_000, endedAtMs: 100_100, isSleptOver: true }],
      sent: [claim, { ...report, atMs: dial.atMs + 80_000 }],
      ends: lateEnd(82_000),
    },
  ],
  ['P7: call 1 of +40722000001 lasted 66000 ms', { calls: [held] }],
  ['P7: call 1 of +40722000001 lasted 188895 ms', { calls: [endless] }],
  ['P8: open_1 was dialled without an INTENT on the disk', { dials: [{ ...dial, intents: new Set() }] }],
  [
    'P8: open_1 was dialled 6001 ms after its claim',
    { sent: [{ ...claim, atMs: dial.atMs - 6_001 }, report] },
  ],
  ['P8: open_1 was dialled Infinity ms after its claim', { sent: [report] }],
  [
    'A1, G2: the dial of +40799999999 at 11100 ms has no granted opening',
    { dials: [dial, { ...dial, phoneNumber: '+40799999999' }] },
  ],
  [
    'A1, G2: the dial of +40722000001 at 11100 ms came from a gateway that was not granted',
    { dials: [{ ...dial, gatewayId: 'gw_2' }], calls: [{ ...call, gatewayId: 'gw_2' }] },
  ],
  [
    'A1: open_3 was accepted and is gone',
    { accepted: [...good.accepted, { openingId: 'open_3', pressedMs }] },
  ],
  [
    'P1: the Idempotency-Key key has made 2 openings',
    { ...withJoined, keyed: [row, joined].map(({ id }) => ({ key: 'key', openingId: id })) },
  ],
  ['A1: 2 records for 1 presses', { presses: 1, ...withJoined }],
  ['A2: open_2 is still connected', { rows: [row, { ...joined, status: 'connected', completedAt: null }] }],
  ['A2: open_1 ended 90003 ms after its press', { ends: lateEnd(90_003) }],
  ['A2: open_1 ended 90203 ms after its press', { endTakesMs: 200, ends: lateEnd(90_203) }],
  ['A2: open_1 ended Infinity ms after its press', { ends: new Map() }],
  [
    'A2: open_1 ended 99999 ms after its press',
    { stood: [{ fromMs: pressedMs + 90_004, toMs: pressedMs + 100_000 }], ends: lateEnd(99_999) },
  ],
  [
    'A2: open_1 ended 98003 ms after its press',
    { away: [{ fromMs: 95_000, toMs: 103_000 }], ends: lateEnd(98_003) },
  ],
  ['A3: gateway 1 has not reported open_1', { gateways: [{ ...gateway, unreported: [row.id] }] }],
  [
    'G2: the cloud refused the daemon of gateway 1 at 12000 ms: superseded',
    { gateways: [{ ...gateway, refusals: [{ atMs: 12_000, why: 'superseded' }] }] },
  ],
  ['A3: gateway 1 is not back', { gateways: [{ ...gateway, isReady: false }] }],
  [
    'A3: open_1 is recorded as opened, and the gate did not move',
    { calls: [{ ...call, relayFired: false }] },
  ],
  ['A3: open_1 is recorded as not opened, and the gate moved', { rows: notOpened }],
  [
    'A3: open_1 is recorded as not opened, and the gate moved',
    { rows: notOpened, gateways: [deaf(call.readMs - 1)] },
  ],
  [
    'A3: open_1 is recorded as not opened, and the gate moved',
    { rows: notOpened, gateways: [deaf(pressedMs + 8_001)] },
  ],
  [
    'A3: open_1 is recorded as not opened, and the gate moved',
    { rows: notOpened, gateways: [deaf(call.readMs, 2_800)] },
  ],
  [
    'A3: open_1 is recorded as not opened, and the gate moved',
    { rows: notOpened, gateways: [{ ...gateway, lostReplies: [call.readMs] }] },
  ],
  [
    'A3: open_1 is recorded as not opened, and the gate moved',
    { rows: notOpened, gateways: [{ ...deaf(call.readMs), lostReplies: [] }] },
  ],
  [
    'A3: open_1 is recorded as not opened, and the gate moved',
    { rows: notOpened, gateways: [{ ...gateway, reportsCalls: false }] },
  ],
  [
    'A3: open_1 is recorded as safe to retry, and the gate moved',
    { rows: [{ ...row, ...notOpened[0], confidence: 'assumed', safeToRetry: 1 }] },
  ],
  [
    'A3: open_1 is recorded as rejected_after_ring, which no gateway has reported',
    { sent: [claim, { ...report, reason: 'busy' }] },
  ],
  [
    'A3: open_1 is recorded as no_report, and its gateway reported rejected_after_ring',
    {
      rows: [{ ...row, status: 'timeout', reason: 'no_report', opened: 'unknown', confidence: 'unknown' }],
      gateways: [{ ...gateway, starts: [{ atMs: 19_000, diedMs: 18_900, leftover: 'kept' }] }],
    },
  ],
  [
    'A6: gates.openCount: gate_1: openCount says 2, a recount gives 1',
    { findings: [{ rule: 'gates.openCount', id: 'gate_1', what: 'openCount says 2, a recount gives 1' }] },
  ],
  ['L1: open_1 called, and its use was given back', { rows: [{ ...row, usageHeld: 0 }] }],
  ['L1: access_1 had 1 calls of at most 0', { caps: [{ accessId: 'access_1', cap: 0 }] }],
])('find: %s', (violation, wrong) => {
  expect(check({ ...good, ...wrong })).toEqual([violation])
})
