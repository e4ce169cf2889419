// The data of a Space in tests: a session, gates, gateways and more, in the contract's form, with the test's changes.

import type { GateCallerView } from '@callgate/contract/app/appGateCallers'
import type { GateFigures } from '@callgate/contract/app/appGateFigures'
import type { AccessView, MemberView } from '@callgate/contract/app/appMember'
import type { CalibrationAnswer } from '@callgate/contract/app/calibration'
import type { GatewayHistory } from '@callgate/contract/app/gateway'
import type { Incident } from '@callgate/contract/app/incident'
import type { OpeningRecord } from '@callgate/contract/app/openingRecord'
import type { Session } from '@callgate/contract/app/session'
import type { SimView } from '@callgate/contract/app/sim'
import type { SpaceView } from '@callgate/contract/app/space'
import type { GatewayUpdate } from '@callgate/contract/app/update'
import type { SpaceUser } from '@callgate/contract/app/user'
import { noCalls } from '@callgate/contract/call/callOutcomes'
import { exampleIds } from '@callgate/contract/rest/exampleIds'
import { exampleGate, type Gate } from '@callgate/contract/rest/gate'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'

export const ids = {
  ...exampleIds,
  spaceId: 'space_01kdhw5r9t2v4x6z8b1d3f5h7j',
  userId: 'user_01kdhw5r9t2v4x6z8b1d3f5h7j',
}

/** An id of the given kind, different for each number. */
export const another = (id: string, number: number) => `${id.slice(0, -2)}${String(number).padStart(2, '0')}`

/** The path of a page in the Space. */
export const pathOf = (part: string) => `/spaces/${ids.spaceId}/${part}`

const long = '2026-01-05T08:00:00.000Z'

/** An owner who reads English, by default. */
export function sessionOf(
  given: { readonly name?: string; readonly role?: 'admin' | 'owner'; readonly language?: 'en' | 'ro' } = {},
): Session {
  const { language = 'en', name = 'Mihai Radu', role = 'owner' } = given
  return {
    user: { id: ids.userId, email: 'mihai@example.com', name, language },
    spaces: [
      {
        id: ids.spaceId,
        name: 'Casa Lalelelor',
        role,
        mode: 'live',
        getsAlerts: true,
        plan: 'business',
        trialEndsAt: null,
        country: 'RO',
        timezone: 'Europe/Bucharest',
        language: 'en',
        lastEventId: 0,
        lockDown: null,
      },
    ],
    csrfToken: 'token',
    expiresAt: '2099-01-01T00:00:00.000Z',
  }
}

export const spaceOf = (given: Partial<SpaceView> = {}): SpaceView => ({
  id: ids.spaceId,
  name: 'Casa Lalelelor',
  country: 'RO',
  timezone: 'Europe/Bucharest',
  language: 'en',
  contactName: null,
  contactPhone: null,
  keepIdentities: 'P12M',
  allowedCountries: null,
  usualCountries: ['RO', 'MD'],
  createdAt: long,
  now: {
    plan: 'business',
    trialEndsAt: null,
    hasApi: true,
    gates: { used: 1, limit: 50 },
    gateways: { used: 1, limit: 20 },
    keys: { used: 0, limit: 20 },
    users: { used: 1, limit: 20 },
    webhooks: { used: 0, limit: 2 },
    invitations: { used: 3, limit: 1_000, resetsAt: '2099-01-01T00:00:00.000Z' },
  },
  ...given,
})

export const gateOf = (given: Partial<Gate> = {}): Gate => ({
  ...exampleGate,
  location: 'Strada Lalelelor 14',
  openCount: 0,
  lastOpenedAt: null,
  ...given,
})

export const figuresOf = (given: Partial<GateFigures> = {}): GateFigures => ({
  gateId: ids.gateId,
  last: null,
  ticks: [],
  usualMs: null,
  misses: 0,
  outcomes: noCalls,
  calibration: 'declared',
  isNumberKnown: true,
  gatewayId: null,
  photo: null,
  ...given,
})

export const gatewayOf = ({
  now,
  ...given
}: Partial<Omit<GatewayView, 'now'>> & { readonly now?: Partial<GatewayView['now']> } = {}): GatewayView => ({
  id: ids.gatewayId,
  name: 'Attic',
  callerNumber: null,
  enrolledAt: long,
  revokedAt: null,
  publicKey: 'k'.repeat(43),
  ...given,
  now: {
    state: 'online',
    since: long,
    cutOffUntil: null,
    lastHeardAt: long,
    modem: {
      state: 'ready',
      model: 'SIM800C',
      firmware: null,
      lacks: [],
      operator: 'Orange RO',
      registration: 'home',
      signalDbm: -71,
      supplyMv: 4_020,
      trouble: null,
    },
    version: '0.1.0',
    tooOld: null,
    uptimeS: 60,
    queueLength: 0,
    toReport: 0,
    ...now,
  },
})

export const callerOf = (given: Partial<GateCallerView> = {}): GateCallerView => ({
  gatewayId: ids.gatewayId,
  name: 'Attic',
  callerNumber: null,
  mayCall: true,
  numberKnown: 'unknown',
  now: { isOnline: true, turn: 1, hasFailed: false },
  ...given,
})

/** An opening whose gate took the call. */
export const openingOf = (given: Partial<OpeningRecord> = {}): OpeningRecord => ({
  id: ids.openingId,
  gateId: ids.gateId,
  gateName: 'Courtyard gate',
  status: 'completed',
  duration: 7,
  calledAt: '2026-03-20T12:28:00.000Z',
  completedAt: '2026-03-20T12:28:07.000Z',
  errorMessage: null,
  openedBy: { type: 'owner', name: 'Mihai Radu', email: 'mihai@example.com' },
  class: 'opened',
  step: null,
  reason: 'rejected_after_ring',
  opened: 'likely',
  confidence: 'likely',
  safeToRetry: false,
  hasRung: true,
  by: { kind: 'user', id: ids.userId },
  joinedOpeningId: null,
  joiners: 0,
  gatewayId: ids.gatewayId,
  seen: null,
  ...given,
})

export const incidentOf = (given: Partial<Incident> = {}): Incident => ({
  id: 'inc_01kdhw5r9t2v4x6z8b1d3f5h7j',
  kind: 'gateway_offline',
  target: { type: 'gateway', id: ids.gatewayId, name: 'Attic' },
  seenAt: long,
  openedAt: long,
  closedAt: null,
  figure: 1,
  ...given,
})

const never = { untilAt: null, nextAt: null, endsAt: null }

export const accessOf = (given: Partial<AccessView> = {}): AccessView => ({
  id: ids.accessId,
  gateId: ids.gateId,
  schedules: [{ type: 'always', timezone: 'Europe/Bucharest' }],
  maxUsage: null,
  usageCount: 0,
  isActive: true,
  lastUsedAt: null,
  now: { standing: 'allowed_now', ...never, usesLeft: null },
  ...given,
})

export const memberOf = (given: Partial<MemberView> = {}): MemberView => ({
  id: ids.memberId,
  name: 'Ana Ionescu',
  email: null,
  phone: null,
  note: null,
  preferredLanguage: 'en',
  isActive: true,
  createdAt: long,
  accesses: [],
  now: {
    standing: null,
    ...never,
    lastUsedAt: null,
    link: 'http://localhost:3000/g/AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_abcde',
    newPhoneAt: null,
    mail: null,
  },
  ...given,
})

/** A day of a gateway that has not been heard yet. */
export const historyOf = (given: Partial<GatewayHistory> = {}): GatewayHistory => ({
  from: '2026-03-19T12:32:00.000Z',
  to: '2026-03-20T12:32:00.000Z',
  stepS: 60,
  onlineS: Array.from({ length: 1_440 }, () => 60),
  signalDbm: Array.from({ length: 1_440 }, () => -71),
  supplyMv: Array.from({ length: 1_440 }, () => 4_020),
  registration: Array.from({ length: 1_440 }, () => 'home'),
  calls: [],
  hasMoreCalls: false,
  onlineTotalS: 86_400,
  sinceS: 86_400,
  ...given,
})

export const userOf = (given: Partial<SpaceUser> = {}): SpaceUser => ({
  id: ids.userId,
  email: 'ioana@example.com',
  name: 'Ioana Dinu',
  role: 'owner',
  isSelf: true,
  isActive: true,
  getsAlerts: true,
  hasSecondFactor: false,
  member: null,
  createdAt: '2026-01-05T08:00:00.000Z',
  lastSeenAt: null,
  ...given,
})

/** The call-profile facts of a gate that nobody has calibrated. */
export const calibrationOf = (given: Partial<CalibrationAnswer> = {}): CalibrationAnswer => ({
  calibration: null,
  checks: { gateway: { id: ids.gatewayId, name: 'Attic' }, warnings: [] },
  learnedFrom: null,
  usualMs: null,
  doubts: [],
  ...given,
})

export const simOf = ({
  now,
  ...given
}: Partial<Omit<SimView, 'now'>> & { readonly now?: Partial<SimView['now']> } = {}): SimView => ({
  code: null,
  warnBelow: null,
  expiresOn: null,
  ...given,
  now: { canAsk: true, asked: null, answer: null, spent: null, warnings: [], ...now },
})

export const updateOf = (given: Partial<GatewayUpdate> = {}): GatewayUpdate => ({
  gatewayId: ids.gatewayId,
  version: '0.1.0',
  canUpdate: true,
  offered: { version: '0.2.0', notes: 'Calls are heard to their end on networks without ringing.' },
  allowed: null,
  askedAt: null,
  last: null,
  ...given,
})
