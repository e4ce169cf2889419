// A verdict and its evidence, for tests that need some.

import type { CallVerdict, Evidence } from '@callgate/contract/call/verdict'

export const verdict: CallVerdict = {
  status: 'completed',
  reason: 'rejected_after_ring',
  confidence: 'likely',
  opened: 'likely',
  safeToRetry: false,
  cause: 17,
  endToken: 'BUSY',
  setupMs: 4_310,
  ringMs: 3_420,
  talkMs: null,
  witnesses: ['+CLCC alerting', 'BUSY'],
}

export const evidence: Evidence = {
  modem: 'x',
  operator: '\u0219 "',
  signalDbm: -71,
  events: [{ atMs: 1, event: 'OK' }],
}
