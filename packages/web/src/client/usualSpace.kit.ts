// The usual Space of page tests: a gate, a gateway that is online, and nothing else.

import { exampleProfile } from '@callgate/contract/call/callProfile'
import type { Answers } from './fakeCloud.kit.ts'
import {
  calibrationOf,
  callerOf,
  figuresOf,
  gateOf,
  gatewayOf,
  historyOf,
  simOf,
  spaceOf,
} from './spaceData.kit.ts'

/** The default answers: only a gate and a gateway that is online. */
export const usual = {
  listGates: () => ({ status: 200, body: { gates: [gateOf()] } }),
  listGateFigures: () => ({ status: 200, body: { figures: [figuresOf()] } }),
  getGate: () => ({ status: 200, body: { gate: gateOf() } }),
  getGateFigures: () => ({ status: 200, body: { figures: figuresOf(), ringMs: [], callers: [] } }),
  getGateProfile: () => ({ status: 200, body: { profile: exampleProfile, calibration: 'declared' } }),
  getGatePhoto: () => ({ status: 200, body: { photo: null } }),
  getGateCallers: () => ({ status: 200, body: { callers: [callerOf()] } }),
  listGateways: () => ({ status: 200, body: { gateways: [gatewayOf()] } }),
  getGateway: () => ({ status: 200, body: { gateway: gatewayOf() } }),
  getGatewayHistory: () => ({ status: 200, body: historyOf() }),
  listIncidents: () => ({ status: 200, body: { incidents: [], total: 0, mute: null } }),
  listPastIncidents: () => ({
    status: 200,
    body: { incidents: [], pagination: { limit: 50, nextCursor: null } },
  }),
  listEnrolments: () => ({ status: 200, body: { enrolments: [] } }),
  listUpdates: () => ({ status: 200, body: { hours: null, updates: [] } }),
  listHistory: () => ({ status: 200, body: { openings: [], pagination: { limit: 50, nextCursor: null } } }),
  getLastChange: () => ({ status: 200, body: { change: null } }),
  getSpace: () => ({ status: 200, body: { space: spaceOf() } }),
  listMemberViews: () => ({
    status: 200,
    body: { members: [], pagination: { limit: 50, nextCursor: null } },
  }),
  getMemberCounts: () => ({
    status: 200,
    body: { active: 0, current: 0, allowed_now: 0, ending_soon: 0, ended: 0, inactive: 0 },
  }),
  listAccessTemplates: () => ({ status: 200, body: { templates: [] } }),
  getCalibration: () => ({ status: 200, body: calibrationOf() }),
  getSecurity: () => ({
    status: 200,
    body: { totpEnabledAt: null, recoveryCodesLeft: 0, passkeys: [], confirmedUntil: null },
  }),
  getPush: () => ({ status: 200, body: { publicKey: 'BA', devices: [] } }),
  listSessions: () => ({ status: 200, body: { sessions: [] } }),
  listApiKeys: () => ({ status: 200, body: { keys: [] } }),
  getSim: () => ({ status: 200, body: { sim: simOf() } }),
} satisfies Answers
