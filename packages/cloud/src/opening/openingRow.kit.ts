// Rows of openings for tests: one that was just pressed, one that leads, and one that is granted.

import type { OpeningRow } from '../core/opening.ts'

export const openingRow: OpeningRow = {
  id: 'open_a',
  spaceId: 'space_a',
  gateId: 'gate_a',
  gateName: 'North',
  phoneNumber: '+40722000001',
  status: 'initiated',
  reason: null,
  opened: null,
  confidence: null,
  safeToRetry: null,
  calledAt: '2026-01-05T08:00:00.000Z',
  grantBefore: '2026-01-05T08:00:12.000Z',
  completedAt: null,
  actorType: 'owner',
  actorName: 'api:door',
  actorEmail: null,
  apiKeyId: 'key_a',
  userId: null,
  sessionId: null,
  memberId: null,
  accessId: null,
  joinedOpeningId: null,
  lockedNumber: null,
  gatewayId: null,
  grantedAt: null,
  grantNonce: null,
  bootId: null,
  grantedProfile: null,
  grantSignature: null,
  isTestCall: null,
  usageHeld: false,
  isSettled: false,
  owner: null,
  ownerEpoch: null,
}

/** A row that leads and so holds its number. */
export const leadingRow: OpeningRow = { ...openingRow, lockedNumber: openingRow.phoneNumber }

export const grantedRow: OpeningRow = {
  ...leadingRow,
  gatewayId: 'gw_a',
  bootId: 'boot1',
  grantNonce: 'nonce1',
  grantedAt: '2026-01-05T08:00:01.000Z',
  grantedProfile: '{}',
}
