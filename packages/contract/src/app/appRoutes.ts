// App routes: where each operation of the dashboard is called. A browser uses them without the schemas.

import { routes } from '../rest/routes.ts'

/** Where the operations on one Space begin. */
export const spaceBase = '/app/v1/spaces/:spaceId'

type Mirrored<Path extends string> = Path extends `/api/v1${infer Rest}`
  ? `${typeof spaceBase}${Rest}`
  : never

/** A user is no key, and follows the Space by `followSpace`. */
const { followEvents: _, getSelf: __, listEvents: ___, ...routesOfUsers } = routes
type Routes = typeof routesOfUsers
type MirroredRoutes = {
  readonly [Id in keyof Routes]: {
    readonly method: Routes[Id]['method']
    readonly path: Mirrored<Routes[Id]['path']>
  }
}

/** The path of an operation of the REST API, for the users of one Space. */
function mirrored(path: string): string {
  return path.replace('/api/v1', spaceBase)
}

/** Each operation of the REST API again, for the users of a Space. */
export const mirroredRoutes = Object.fromEntries(
  Object.entries(routesOfUsers).map(([id, { method, path }]) => [id, { method, path: mirrored(path) }]),
) as unknown as MirroredRoutes

/** The operations that only the dashboard has. */
export const ownRoutes = {
  signIn: { method: 'POST', path: '/app/v1/session' },
  getSession: { method: 'GET', path: '/app/v1/session' },
  signOut: { method: 'DELETE', path: '/app/v1/session' },
  followSpace: { method: 'GET', path: `${spaceBase}/events` },
  signInWithCode: { method: 'POST', path: '/app/v1/session/code' },
  startPasskeySignIn: { method: 'POST', path: '/app/v1/session/passkey/options' },
  signInWithPasskey: { method: 'POST', path: '/app/v1/session/passkey' },
  confirmSession: { method: 'POST', path: '/app/v1/session/confirm' },
  getSecurity: { method: 'GET', path: '/app/v1/security' },
  startTotp: { method: 'POST', path: '/app/v1/totp' },
  enableTotp: { method: 'POST', path: '/app/v1/totp/enable' },
  disableTotp: { method: 'DELETE', path: '/app/v1/totp' },
  renewRecoveryCodes: { method: 'POST', path: '/app/v1/recovery-codes' },
  startPasskey: { method: 'POST', path: '/app/v1/passkeys/options' },
  addPasskey: { method: 'POST', path: '/app/v1/passkeys' },
  removePasskey: { method: 'DELETE', path: '/app/v1/passkeys/:passkeyId' },
  changePassword: { method: 'POST', path: '/app/v1/session/password' },
  listSessions: { method: 'GET', path: '/app/v1/sessions' },
  endOtherSessions: { method: 'DELETE', path: '/app/v1/sessions' },
  endSession: { method: 'DELETE', path: '/app/v1/sessions/:sessionId' },
  updateProfile: { method: 'PATCH', path: '/app/v1/profile' },
  getPush: { method: 'GET', path: '/app/v1/push' },
  addPushDevice: { method: 'POST', path: '/app/v1/push' },
  updatePushDevice: { method: 'PATCH', path: '/app/v1/push/:deviceId' },
  removePushDevice: { method: 'DELETE', path: '/app/v1/push/:deviceId' },
  getPushText: { method: 'GET', path: `${spaceBase}/push` },
  exportOwnData: { method: 'GET', path: '/app/v1/own-data' },
  requestPasswordReset: { method: 'POST', path: '/app/v1/password-reset' },
  resetPassword: { method: 'POST', path: '/app/v1/password-reset/confirm' },
  readInvitation: { method: 'POST', path: '/app/v1/invitation' },
  acceptInvitation: { method: 'POST', path: '/app/v1/invitation/accept' },
  listUsers: { method: 'GET', path: `${spaceBase}/users` },
  getUser: { method: 'GET', path: `${spaceBase}/users/:userId` },
  updateUser: { method: 'PATCH', path: `${spaceBase}/users/:userId` },
  removeUser: { method: 'DELETE', path: `${spaceBase}/users/:userId` },
  inviteUser: { method: 'POST', path: `${spaceBase}/invitations` },
  cancelInvitation: { method: 'DELETE', path: `${spaceBase}/invitations/:invitationId` },
  listGateFigures: { method: 'GET', path: `${spaceBase}/gate-figures` },
  getGateFigures: { method: 'GET', path: `${spaceBase}/gates/:gateId/figures` },
  getGatePhoto: { method: 'GET', path: `${spaceBase}/gates/:gateId/photo` },
  showGatePhoto: { method: 'GET', path: `${spaceBase}/gates/:gateId/photo/file` },
  setGatePhoto: { method: 'PATCH', path: `${spaceBase}/gates/:gateId/photo` },
  getGateCallers: { method: 'GET', path: `${spaceBase}/gates/:gateId/callers` },
  updateGateCallers: { method: 'PATCH', path: `${spaceBase}/gates/:gateId/callers` },
  getSetUpSms: { method: 'GET', path: `${spaceBase}/gates/:gateId/set-up-sms` },
  sendSetUpSms: { method: 'POST', path: `${spaceBase}/gates/:gateId/set-up-sms` },
  getCalibration: { method: 'GET', path: `${spaceBase}/gates/:gateId/calibration` },
  startCalibration: { method: 'POST', path: `${spaceBase}/gates/:gateId/calibration` },
  prepareTestCall: { method: 'POST', path: `${spaceBase}/gates/:gateId/calibration/call` },
  answerTestCall: { method: 'POST', path: `${spaceBase}/gates/:gateId/calibration/answer` },
  acceptCalibration: { method: 'POST', path: `${spaceBase}/gates/:gateId/calibration/accept` },
  endCalibration: { method: 'DELETE', path: `${spaceBase}/gates/:gateId/calibration` },
  listHistory: { method: 'GET', path: `${spaceBase}/history` },
  getLastChange: { method: 'GET', path: `${spaceBase}/activity/last` },
  exportActivity: { method: 'GET', path: `${spaceBase}/activity-file` },
  exportHistory: { method: 'GET', path: `${spaceBase}/history-file` },
  getHistoryCounts: { method: 'GET', path: `${spaceBase}/history-counts` },
  addGateway: { method: 'POST', path: `${spaceBase}/gateways` },
  updateGateway: { method: 'PATCH', path: `${spaceBase}/gateways/:gatewayId` },
  changeGatewayPassword: { method: 'POST', path: `${spaceBase}/gateways/:gatewayId/password` },
  revokeGateway: { method: 'DELETE', path: `${spaceBase}/gateways/:gatewayId` },
  getGatewayHistory: { method: 'GET', path: `${spaceBase}/gateways/:gatewayId/history` },
  getSim: { method: 'GET', path: `${spaceBase}/gateways/:gatewayId/sim` },
  updateSim: { method: 'PATCH', path: `${spaceBase}/gateways/:gatewayId/sim` },
  askSim: { method: 'POST', path: `${spaceBase}/gateways/:gatewayId/sim/ask` },
  listUpdates: { method: 'GET', path: `${spaceBase}/updates` },
  setUpdateHours: { method: 'PATCH', path: `${spaceBase}/updates` },
  allowUpdate: { method: 'POST', path: `${spaceBase}/gateways/:gatewayId/update` },
  disallowUpdate: { method: 'DELETE', path: `${spaceBase}/gateways/:gatewayId/update` },
  listEnrolments: { method: 'GET', path: `${spaceBase}/enrolments` },
  startEnrolment: { method: 'POST', path: `${spaceBase}/enrolments` },
  getEnrolment: { method: 'GET', path: `${spaceBase}/enrolments/:enrolmentId` },
  confirmEnrolment: { method: 'POST', path: `${spaceBase}/enrolments/:enrolmentId/confirm` },
  refuseEnrolment: { method: 'DELETE', path: `${spaceBase}/enrolments/:enrolmentId` },
  listMemberViews: { method: 'GET', path: `${spaceBase}/member-views` },
  getMemberCounts: { method: 'GET', path: `${spaceBase}/member-counts` },
  getMemberView: { method: 'GET', path: `${spaceBase}/member-views/:memberId` },
  saveMember: { method: 'PATCH', path: `${spaceBase}/member-views/:memberId` },
  exportMemberData: { method: 'GET', path: `${spaceBase}/members/:memberId/data` },
  eraseMember: { method: 'POST', path: `${spaceBase}/members/:memberId/erase` },
  listApiKeys: { method: 'GET', path: `${spaceBase}/api-keys` },
  createApiKey: { method: 'POST', path: `${spaceBase}/api-keys` },
  revokeApiKey: { method: 'DELETE', path: `${spaceBase}/api-keys/:apiKeyId` },
  listIncidents: { method: 'GET', path: `${spaceBase}/incidents` },
  listPastIncidents: { method: 'GET', path: `${spaceBase}/past-incidents` },
  updateOwnAlerts: { method: 'PATCH', path: `${spaceBase}/own-alerts` },
  getSpace: { method: 'GET', path: `${spaceBase}/space` },
  updateSpace: { method: 'PATCH', path: `${spaceBase}/space` },
  lockDown: { method: 'POST', path: `${spaceBase}/lock-down` },
  endLockDown: { method: 'DELETE', path: `${spaceBase}/lock-down` },
  createSandbox: { method: 'POST', path: `${spaceBase}/sandboxes` },
  observeOpening: { method: 'POST', path: `${spaceBase}/openings/:openingId/observation` },
  exportMembers: { method: 'GET', path: `${spaceBase}/member-file` },
  importMembers: { method: 'POST', path: `${spaceBase}/member-file` },
  listAccessTemplates: { method: 'GET', path: `${spaceBase}/access-templates` },
  saveAccessTemplates: { method: 'PATCH', path: `${spaceBase}/access-templates` },
  editMembers: { method: 'POST', path: `${spaceBase}/member-edits` },
} as const

/** The method and the path of each operation of the dashboard, with `:name` for each parameter. */
export const appRoutes = { ...mirroredRoutes, ...ownRoutes }
