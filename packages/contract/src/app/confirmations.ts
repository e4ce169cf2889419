// Confirmations: the only table of the dashboard's operations that a stolen session must not carry out.

import type { AppBodyOf, AppOperationId } from './appOperations.ts'

/**
 * `always`, `never`, or the condition on a body that has passed its schema. `where_stored`: it depends on rows, so the handler
 * checks it together with the role.
 */
type Confirmation<Body> = 'never' | 'always' | 'where_stored' | ((body: Body) => boolean)

/** Such a key can open gates, itself or by the links of members, or has no end. */
function isStrongKey({ expiresAt, scopes }: AppBodyOf<'createApiKey'>): boolean {
  const isForGood = expiresAt === undefined || expiresAt === null
  return isForGood || scopes.some(scope => scope === 'gates:open' || scope.startsWith('members:'))
}

/**
 * The operations that require a session that was begun, or whose user has given a password or passkey, in the last five minutes.
 * Otherwise the answer is 403 `confirmation_required`: after the other 403 and before 429, or after 400 where the body decides.
 */
export const confirmations: { readonly [Id in AppOperationId]: Confirmation<AppBodyOf<Id>> } = {
  listGates: 'never',
  createGate: 'never',
  getGate: 'never',
  updateGate: 'never',
  deactivateGate: 'never',
  getGateProfile: 'never',
  updateGateProfile: 'never',
  openGate: 'never',
  listMembers: 'never',
  createMember: 'never',
  getMember: 'never',
  updateMember: 'never',
  deactivateMember: 'never',
  addAccess: 'never',
  updateAccess: 'never',
  revokeAccess: 'never',
  resetMemberLink: 'never',
  sendInvitation: 'never',
  listOpenings: 'never',
  getOpening: 'never',
  followOpening: 'never',
  listActivity: 'never',
  signIn: 'never',
  getSession: 'never',
  signOut: 'never',
  followSpace: 'never',
  signInWithCode: 'never',
  startPasskeySignIn: 'never',
  signInWithPasskey: 'never',
  confirmSession: 'never',
  getSecurity: 'never',
  startTotp: 'always',
  enableTotp: 'always',
  disableTotp: 'always',
  renewRecoveryCodes: 'always',
  startPasskey: 'always',
  addPasskey: 'always',
  removePasskey: 'always',
  changePassword: 'never',
  listSessions: 'never',
  endOtherSessions: 'never',
  endSession: 'never',
  updateProfile: 'never',
  exportOwnData: 'always',
  requestPasswordReset: 'never',
  resetPassword: 'never',
  readInvitation: 'never',
  acceptInvitation: 'never',
  listUsers: 'never',
  getUser: 'never',
  updateUser: ({ role }) => role !== undefined,
  removeUser: 'always',
  inviteUser: ({ role }) => role === 'owner',
  cancelInvitation: 'never',
  listGateFigures: 'never',
  getGateFigures: 'never',
  getGateCallers: 'never',
  updateGateCallers: 'never',
  getSetUpSms: 'never',
  sendSetUpSms: 'always',
  getCalibration: 'never',
  startCalibration: 'never',
  prepareTestCall: 'never',
  answerTestCall: 'never',
  acceptCalibration: 'never',
  endCalibration: 'never',
  listHistory: 'never',
  getLastChange: 'never',
  exportActivity: 'never',
  exportHistory: 'never',
  getHistoryCounts: 'never',
  listGateways: 'never',
  addGateway: 'always',
  getGateway: 'never',
  updateGateway: 'never',
  changeGatewayPassword: 'always',
  revokeGateway: 'never',
  getGatewayHistory: 'never',
  getSim: 'never',
  updateSim: 'where_stored',
  askSim: 'where_stored',
  listUpdates: 'never',
  setUpdateHours: 'always',
  allowUpdate: 'always',
  disallowUpdate: 'never',
  listEnrolments: 'never',
  startEnrolment: 'always',
  getEnrolment: 'never',
  confirmEnrolment: 'always',
  refuseEnrolment: 'never',
  listMemberViews: 'never',
  getMemberCounts: 'never',
  getMemberView: 'never',
  saveMember: 'never',
  reactivateMember: 'never',
  exportMemberData: 'always',
  eraseMember: 'always',
  listApiKeys: 'never',
  createApiKey: isStrongKey,
  revokeApiKey: 'never',
  listIncidents: 'never',
  listPastIncidents: 'never',
  updateOwnAlerts: 'never',
  getSpace: 'never',
  updateSpace: 'never',
  observeOpening: 'never',
  getProof: 'never',
  exportMembers: 'always',
  importMembers: 'never',
  previewSchedules: 'never',
  getGateReadiness: 'never',
  decideMember: 'never',
  bulkMembers: 'never',
  getSandboxClock: 'never',
  setSandboxClock: 'never',
  listSandboxMails: 'never',
  resetSandbox: 'never',
  createSandbox: 'never',
}

/** Whether this request requires a confirmation by the table alone. Without a body: whether every request does. */
export function needsConfirmation(id: AppOperationId, body?: unknown): boolean {
  const confirmation: Confirmation<never> = confirmations[id]
  if (typeof confirmation === 'string') return confirmation === 'always'
  return body !== undefined && confirmation(body as never)
}
