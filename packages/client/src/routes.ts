// Where each operation is called: the compiler holds every line against the contract, whose schemas are not needed at
// run time.

import type { OperationId, Operations } from '@callgate/contract/rest/operations'

type Routes = {
  readonly [Id in OperationId]: `${Operations[Id]['method']} ${Operations[Id]['path']}`
}

export const routes: Routes = {
  listGates: 'GET /api/v1/gates',
  createGate: 'POST /api/v1/gates',
  getGate: 'GET /api/v1/gates/:gateId',
  updateGate: 'PATCH /api/v1/gates/:gateId',
  deactivateGate: 'DELETE /api/v1/gates/:gateId',
  getGateProfile: 'GET /api/v1/gates/:gateId/profile',
  updateGateProfile: 'PATCH /api/v1/gates/:gateId/profile',
  openGate: 'POST /api/v1/gates/:gateId/open',
  listMembers: 'GET /api/v1/members',
  createMember: 'POST /api/v1/members',
  getMember: 'GET /api/v1/members/:memberId',
  updateMember: 'PATCH /api/v1/members/:memberId',
  deactivateMember: 'DELETE /api/v1/members/:memberId',
  addAccess: 'POST /api/v1/members/:memberId/accesses',
  updateAccess: 'PATCH /api/v1/members/:memberId/accesses/:accessId',
  revokeAccess: 'DELETE /api/v1/members/:memberId/accesses/:accessId',
  resetMemberLink: 'POST /api/v1/members/:memberId/link/reset',
  sendInvitation: 'POST /api/v1/members/:memberId/invitation',
  listOpenings: 'GET /api/v1/openings',
  getOpening: 'GET /api/v1/openings/:openingId',
  listActivity: 'GET /api/v1/activity',
}
