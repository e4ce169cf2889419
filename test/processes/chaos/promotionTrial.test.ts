// The checker of a standby that lacks commits: it accepts a lost record, and detects each violation.

import { expect, it } from 'vitest'
import { checkLost } from './promotionTrial.ts'

const dial = { atMs: 10_000, phoneNumber: '+40722000101', relayFired: true }
const row = {
  id: 'open_1',
  spaceId: 'space_1',
  phoneNumber: '+40722000101',
  bootId: 'boot',
  grantNonce: 'nonce',
  safeToRetry: 0,
  apiKeyId: 'key_1',
  gatewayId: null,
  joinedOpeningId: null,
  calledAt: '',
  grantedAt: null,
  status: 'timeout',
  reason: 'outcome_unknown',
  opened: 'unknown',
  confidence: 'unknown',
  completedAt: '',
}
const refused = { status: 503, isNo: false, isOutcome: false }
const fine = { dials: [dial], rows: [row], told: [refused], claimedMs: [9_000] }

it('accepts a call whose record is lost or unknown, and no call', () => {
  expect(checkLost(fine)).toEqual([])
  expect(checkLost({ ...fine, rows: [] })).toEqual([])
  const no = { ...row, status: 'failed', reason: 'interrupted', opened: 'no', confidence: 'certain' }
  expect(checkLost({ ...fine, dials: [], rows: [no], told: [{ ...refused, isNo: true }] })).toEqual([])
})

it('detects a second call, a call without a fresh claim, a false no, and an opening without an end', () => {
  expect(checkLost({ ...fine, dials: [dial, dial] })).toEqual([expect.stringMatching(/^double: 2/)])
  expect(checkLost({ ...fine, claimedMs: [3_000] })).toEqual([expect.stringMatching(/^late/)])
  expect(checkLost({ ...fine, claimedMs: [11_000] })).toEqual([expect.stringMatching(/^late/)])
  const no = { ...row, status: 'failed', reason: 'interrupted', opened: 'no', confidence: 'certain' }
  expect(checkLost({ ...fine, rows: [no] })).toEqual([expect.stringMatching(/^wrong: interrupted/)])
  expect(checkLost({ ...fine, told: [{ ...refused, isNo: true }] })).toEqual([
    expect.stringMatching(/^wrong: told/),
  ])
  expect(checkLost({ ...fine, rows: [{ ...row, completedAt: null }] })).toEqual(['not ended: timeout'])
})
