// The row of an opening that was just asked for, for tests of what becomes of it.

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
  memberId: null,
  accessId: null,
  joinedOpeningId: null,
  lockedNumber: null,
  gatewayId: null,
  grantedAt: null,
  grantNonce: null,
  bootId: null,
  grantedProfile: null,
  usageHeld: false,
  isSettled: false,
}
