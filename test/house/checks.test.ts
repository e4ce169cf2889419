// The judges of the seeded house: what is right passes, and each can find what is wrong.

import { expect, it } from 'vitest'
import { check } from './checks.ts'
import type { Call, Dial, Row, Said, Truth } from './truth.ts'

const pressedMs = 10_000
const iso = (atMs: number) => new Date(atMs).toISOString()

const row: Row = {
  id: 'open_1',
  gateId: 'gate_1',
  status: 'completed',
  opened: 'likely',
  confidence: 'likely',
  phoneNumber: '+40722000001',
  calledAt: iso(pressedMs),
  completedAt: iso(pressedMs + 9_000),
  grantedAt: iso(pressedMs + 1_000),
  grantNonce: 'nonce',
  gatewayId: 'gw_1',
  bootId: 'boot',
  apiKeyId: 'key_1',
  accessId: 'access_1',
  joinedOpeningId: null,
  usageHeld: 1,
}
const { phoneNumber } = row
const dial: Dial = {
  atMs: pressedMs + 1_100,
  phoneNumber,
  intents: new Set([row.id]),
  gatewayId: 'gw_1',
}
const call: Call = {
  callId: 1,
  phoneNumber,
  relayFired: true,
  endedAtMs: pressedMs + 8_000,
  gatewayId: 'gw_1',
  atMs: dial.atMs,
  readMs: dial.atMs + 5,
}
const ofRow = { gatewayId: 'gw_1', openingId: row.id, bootId: 'boot', nonce: undefined, phase: undefined }
const claim: Said = { ...ofRow, kind: 'claim', atMs: pressedMs + 900, nonce: 'nonce' }
const report: Said = { ...ofRow, kind: 'report', atMs: pressedMs + 8_500, phase: 'ended' }
const gateway: Truth['gateways'][number] = {
  gatewayId: 'gw_1',
  name: 'gateway 1',
  isReady: true,
  left: [],
  unable: [],
  violations: [],
}
const good: Truth = {
  accepted: [row.id],
  forbidden: [],
  downMs: 0,
  atMs: 200_000,
  epochMs: 0,
  rows: [row],
  corrected: [],
  calls: [call],
  dials: [dial],
  said: [claim, report],
  gateways: [gateway],
  gates: [{ id: 'gate_1', openCount: 1 }],
  accesses: [{ id: 'access_1', usageCount: 1 }],
  caps: [{ accessId: 'access_1', cap: 1 }],
}

const late = { ...dial, atMs: pressedMs + 18_001 }
const lateClaim = { ...claim, atMs: pressedMs + 17_000 }
const { endedAtMs: _, ...endless } = { ...call, readMs: 11_105 }
const held = { ...call, endedAtMs: call.readMs + 66_000 }
const joined = { ...row, id: 'open_2', joinedOpeningId: row.id, usageHeld: 0, grantedAt: null }

it.each<readonly [name: string, wrong: Partial<Truth>]>([
  ['nothing', {}],
  ['a joiner that is not counted', { rows: [row, joined] }],
  ['a dial at the last moment', { dials: [{ ...late, atMs: late.atMs - 1 }], said: [lateClaim] }],
  [
    'a grant before the change',
    { forbidden: [{ change: 'key revoked', atMs: 11_000, of: { apiKeyId: 'key_1' } }] },
  ],
  [
    'a call that nobody could end',
    { calls: [held], gateways: [{ ...gateway, unable: [{ fromMs: 20_000, toMs: 30_000 }] }] },
  ],
  [
    'a timeout that was corrected late',
    { corrected: [row.id], rows: [{ ...row, completedAt: iso(pressedMs + 110_000) }] },
  ],
  ['a cloud that was away', { downMs: 10_000, rows: [{ ...row, completedAt: iso(pressedMs + 104_000) }] }],
])('find nothing in: %s', (_, wrong) => {
  expect(check({ ...good, ...wrong })).toEqual([])
})

it.each<readonly [violation: string, wrong: Partial<Truth>]>([
  ['P1: open_1 was called 2 times', { dials: [dial, { ...dial, atMs: dial.atMs + 10 }] }],
  ['P2: open_1 was called 18001 ms after its press', { dials: [late], said: [lateClaim] }],
  [
    'P3: open_1 was granted after: key revoked',
    { forbidden: [{ change: 'key revoked', atMs: 10_999, of: { apiKeyId: 'key_1' } }] },
  ],
  [
    'P5: byte_during_dial at 7 ms',
    { gateways: [{ ...gateway, violations: [{ atMs: 7, violation: 'byte_during_dial' }] }] },
  ],
  [
    'P6: a report at 18500 ms, and the ATD of open_1 was not read yet',
    { calls: [{ ...call, readMs: 18_501, endedAtMs: 19_000 }] },
  ],
  [
    'P6: a claim at 12000 ms, and the ATD of open_1 was not read yet',
    {
      calls: [{ ...call, readMs: 12_001 }],
      said: [claim, { ...claim, openingId: 'open_2', nonce: 'another', atMs: 12_000 }],
    },
  ],
  ['P7: call 1 of +40722000001 lasted 66000 ms', { calls: [held] }],
  ['P7: call 1 of +40722000001 lasted 188895 ms', { calls: [endless] }],
  ['P8: open_1 was dialled without an INTENT on the disk', { dials: [{ ...dial, intents: new Set() }] }],
  ['P8: open_1 was dialled 6001 ms after its claim', { said: [{ ...claim, atMs: dial.atMs - 6_001 }] }],
  ['P8: open_1 was dialled Infinity ms after its claim', { said: [] }],
  [
    'A1, G2: the dial of +40799999999 at 11100 ms has no granted opening',
    { dials: [dial, { ...dial, phoneNumber: '+40799999999' }] },
  ],
  [
    'A1, G2: the dial of +40722000001 at 11100 ms came from a gateway that was not granted',
    { dials: [{ ...dial, gatewayId: 'gw_2' }] },
  ],
  ['A1: open_3 was accepted and is gone', { accepted: [row.id, 'open_3'] }],
  ['A2: open_2 is still connected', { rows: [row, { ...joined, status: 'connected', completedAt: null }] }],
  ['A2: open_1 ended after 95001 ms', { rows: [{ ...row, completedAt: iso(pressedMs + 95_001) }] }],
  ['A3: gateway 1 has not reported open_1', { gateways: [{ ...gateway, left: [row.id] }] }],
  ['A3: gateway 1 is not back', { gateways: [{ ...gateway, isReady: false }] }],
  ['A3: open_1 is told as opened, and the gate did not move', { calls: [{ ...call, relayFired: false }] }],
  [
    'A3: open_1 is told as not opened, and the gate moved',
    {
      rows: [{ ...row, status: 'failed', opened: 'no' }],
      gates: [{ id: 'gate_1', openCount: 0 }],
    },
  ],
  ['A6: gate_1 says 2 openings, and had 1', { gates: [{ id: 'gate_1', openCount: 2 }] }],
  ['A6: access_1 says 0 uses, and had 1', { accesses: [{ id: 'access_1', usageCount: 0 }] }],
  ['L1: access_1 had 1 calls of at most 0', { caps: [{ accessId: 'access_1', cap: 0 }] }],
])('find: %s', (violation, wrong) => {
  expect(check({ ...good, ...wrong })).toEqual([violation])
})
