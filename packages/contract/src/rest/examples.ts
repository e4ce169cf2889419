// Examples of each noun, for the documentation; a test holds them against the schemas.

import { callProfile } from '../call/callProfile.ts'
import type { Verdict } from '../call/verdict.ts'
import type { ActivityEntry } from './activity.ts'
import type { Gate } from './gate.ts'
import type { Access, Member } from './member.ts'
import type { Opening, OpeningEvidence } from './opening.ts'

export const exampleIds = {
  gateId: 'gate_01kdhx3m8e2w7q5v9z4r6t8y0a',
  memberId: 'member_01kdhx9c5n7p2k4s6w8y0a3d5f',
  accessId: 'access_01kdhx9c5p1r3t5v7x9z2b4d6g',
  openingId: 'open_01kdj0v4t6w8y1a3c5e7g9j2m4',
  gatewayId: 'gw_01kdhw7b2d4f6h8k1n3q5s7v9x',
  activityId: 'act_01kdhx9c5q8s0v2x4z6b8d1f3h',
} as const

export const exampleGate: Gate = {
  id: exampleIds.gateId,
  name: 'Courtyard gate',
  phoneNumber: '+40722123456',
  location: 'Strada Lungă 12, Brașov',
  description: null,
  isActive: true,
  openCount: 42,
  lastOpenedAt: '2026-03-27T16:04:11.207Z',
  createdAt: '2026-01-05T08:00:00.000Z',
}

export const exampleAccess: Access = {
  id: exampleIds.accessId,
  gateId: exampleIds.gateId,
  schedules: [
    { type: 'weekdays', timeWindows: [{ from: '08:00', to: '18:00' }], timezone: 'Europe/Bucharest' },
    {
      type: 'custom',
      daysOfWeek: [5],
      timeWindows: [{ from: '22:00', to: '06:00' }],
      expiresAt: '2026-12-31T23:00:00+02:00',
      timezone: 'Europe/Bucharest',
    },
  ],
  maxUsage: 100,
  usageCount: 7,
  isActive: true,
  accessUrl: 'https://gates.example.com/g/4yN3mS1mGrxXo5Wc0dLQJc1ilqBkqX3F',
  lastUsedAt: '2026-03-27T16:04:11.207Z',
}

export const exampleMember: Member = {
  id: exampleIds.memberId,
  name: 'Ana Pop',
  phone: '0722 000 111',
  note: 'Second floor',
  isAdmin: false,
  isActive: true,
  preferredLanguage: 'ro',
  createdAt: '2026-01-05T08:12:00.000Z',
  accesses: [exampleAccess],
}

export const exampleOpening: Opening = {
  id: exampleIds.openingId,
  gateId: exampleIds.gateId,
  gateName: 'Courtyard gate',
  status: 'completed',
  duration: 8,
  calledAt: '2026-03-27T16:04:02.911Z',
  completedAt: '2026-03-27T16:04:11.207Z',
  errorMessage: null,
  openedBy: { type: 'guest', name: 'Ana Pop', email: 'ana@example.com' },
}

export const exampleVerdict = {
  status: 'completed' as const,
  reason: 'rejected_after_ring' as const,
  confidence: 'likely' as const,
  opened: 'likely' as const,
  safeToRetry: false,
  cause: 17,
  endToken: 'BUSY',
  setupMs: 4_310,
  ringMs: 3_420,
  talkMs: null,
  witnesses: ['+CLCC alerting', 'BUSY'],
} satisfies Verdict

export const exampleEvidence: OpeningEvidence = {
  reason: 'rejected_after_ring',
  opened: 'likely',
  confidence: 'likely',
  safeToRetry: false,
  joinedOpeningId: null,
  gatewayId: exampleIds.gatewayId,
  callMode: 'reject',
  grantedAt: '2026-03-27T16:04:03.154Z',
  verdict: exampleVerdict,
  call: {
    modem: 'SIM800L R14.18',
    operator: 'Orange RO',
    signalDbm: -71,
    events: [
      { atMs: 0, event: 'ATD' },
      { atMs: 4_310, event: '+CLCC alerting' },
      { atMs: 7_730, event: 'BUSY' },
    ],
  },
}

export const exampleProfile = callProfile({
  mode: 'reject',
  reactMinMs: 1_500,
  reactMaxMs: 9_000,
  learned: true,
  discriminating: true,
})

export const exampleActivity: ActivityEntry = {
  id: exampleIds.activityId,
  action: 'guest.access_added',
  actor: 'api:Front desk',
  targetType: 'member',
  targetLabel: 'Ana Pop',
  details: { deviceName: 'Courtyard gate' },
  timestamp: '2026-01-05T08:12:00.000Z',
}
