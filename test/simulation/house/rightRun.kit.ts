// The facts of a right run: one press, one call, and a gate that moves.

import type { Call, SentMessage } from '../../checker/facts.ts'
import { quietBackground } from './backgroundFacts.ts'
import { nothingNoted } from './seedRun.ts'
import { type Dial, type Row, simulated, type Truth } from './truth.ts'

export const pressedMs = 10_000
const iso = (atMs: number) => new Date(atMs).toISOString()

export const row: Row = {
  id: 'open_1',
  spaceId: 'space_1',
  gateId: 'gate_1',
  status: 'completed',
  reason: 'rejected_after_ring',
  opened: 'likely',
  confidence: 'likely',
  phoneNumber: '+40722000001',
  begunMs: pressedMs,
  completedAt: iso(pressedMs + 9_000),
  grantedMs: pressedMs + 1_000,
  grantNonce: 'nonce',
  gatewayId: 'gw_1',
  bootId: 'boot',
  apiKeyId: 'key_1',
  userId: null,
  sessionId: null,
  accessId: 'access_1',
  joinedOpeningId: null,
  usageHeld: 1,
  safeToRetry: 0,
}
export const notOpened = [{ ...row, status: 'failed', opened: 'no' }]
export const { phoneNumber } = row
export const dial: Dial = {
  atMs: pressedMs + 1_100,
  phoneNumber,
  isSleptOver: false,
  intents: new Set([row.id]),
  gatewayId: 'gw_1',
}
export const call: Call = {
  callId: 1,
  phoneNumber,
  relayFired: true,
  outcome: 'rejected',
  endedAtMs: pressedMs + 8_000,
  gatewayId: 'gw_1',
  atMs: dial.atMs,
  readMs: dial.atMs + 5,
  isSleptOver: false,
}
const ofRow = {
  gatewayId: 'gw_1',
  openingId: row.id,
  bootId: 'boot',
  nonce: undefined,
  phase: undefined,
  reason: undefined,
  opened: undefined,
}
export const claim: SentMessage = { ...ofRow, kind: 'claim', atMs: pressedMs + 900, nonce: 'nonce' }
export const report: SentMessage = {
  ...ofRow,
  kind: 'report',
  atMs: pressedMs + 8_500,
  phase: 'ended',
  reason: 'rejected_after_ring',
}
export const gateway: Truth['gateways'][number] = {
  gatewayId: 'gw_1',
  spaceId: 'space_1',
  name: 'gateway 1',
  isReady: true,
  unreported: [],
  starts: [],
  badDisk: [],
  refusals: [],
  stood: [],
  modemStood: [],
  lostReplies: [],
  reportsCalls: true,
  couldNotHangUp: [],
  sentBefore: 0,
  violations: [],
}
/** The gateway whose machine stalled when a reply was lost. */
export const deaf = (atMs: number, stoodForMs = 3_000) => ({
  ...gateway,
  lostReplies: [atMs],
  stood: [{ fromMs: atMs - 1, toMs: atMs + stoodForMs }],
})
export const good: Truth = {
  ...nothingNoted(),
  ...simulated,
  presses: 2,
  accepted: [{ openingId: row.id, pressedMs }],
  atMs: 200_000,
  stood: [],
  rows: [row],
  events: [],
  ends: new Map([[row.id, pressedMs + 8_600]]),
  calls: [call],
  dials: [dial],
  sent: [claim, report],
  gateways: [gateway],
  ...quietBackground,
  findings: [],
  caps: [{ accessId: 'access_1', cap: 1 }],
}
