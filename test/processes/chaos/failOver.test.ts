// The checker of two gateways: it accepts a fail-over in time, and detects each violation.

import { expect, it } from 'vitest'
import { checkFailOver, failOversMs, type TwoIds } from './failOver.ts'

const ids: TwoIds = ['gw_1', 'gw_2']
const calledAt = '2026-01-01T00:00:00.000Z'
const row = {
  id: 'open_1',
  apiKeyId: 'key_1',
  gatewayId: 'gw_2',
  joinedOpeningId: null,
  status: 'completed',
  reason: 'rejected_after_ring',
  opened: 'likely',
  confidence: 'assumed',
  calledAt,
  grantedAt: calledAt,
  completedAt: calledAt,
}
const after = (ms: number) => ({
  phoneNumber: '+40722000101',
  atMs: Date.parse(calledAt) + ms,
  relayFired: true,
})

it('accepts one call by either gateway', () => {
  const second = { rows: [row], byGateway: [[], [after(2_100)]] }
  expect(checkFailOver(ids, second)).toEqual([])
  expect(failOversMs(ids, second)).toEqual([2_100])
  // The first one may need longer, or have been granted and never dial: other checks judge its limits.
  const granted = { ...row, gatewayId: 'gw_1' }
  expect(checkFailOver(ids, { rows: [granted], byGateway: [[after(9_000)], []] })).toEqual([])
  const lost = { ...granted, status: 'failed', reason: 'outcome_unknown' }
  expect(checkFailOver(ids, { rows: [lost], byGateway: [[], []] })).toEqual([])
})

it('detects a late second gateway, one that never dials, and a call by one that was not granted', () => {
  const late = { rows: [row], byGateway: [[], [after(5_001)]] }
  expect(checkFailOver(ids, late)).toEqual([expect.stringMatching(/^late: .* 5001 ms/)])
  const never = { rows: [row], byGateway: [[], []] }
  expect(checkFailOver(ids, never)).toEqual([expect.stringMatching(/^late/)])
  const both = { rows: [row], byGateway: [[after(9_000)], [after(2_100)]] }
  expect(checkFailOver(ids, both)).toEqual([expect.stringMatching(/^double/)])
  const afterGrant = { rows: [{ ...row, gatewayId: 'gw_1' }], byGateway: [[], [after(2_100)]] }
  expect(checkFailOver(ids, afterGrant)).toEqual([expect.stringMatching(/^double/)])
})

it('detects an opening that nobody was granted, or that the second gateway did not open', () => {
  const nobody = { rows: [{ ...row, gatewayId: null }], byGateway: [[], []] }
  expect(checkFailOver(ids, nobody)).toEqual([expect.stringMatching(/^lost: open_1 was granted to nobody/)])
  const busy = { rows: [{ ...row, status: 'failed', reason: 'busy' }], byGateway: [[], [after(2_100)]] }
  expect(checkFailOver(ids, busy)).toEqual(['lost: busy by the second gateway'])
})
