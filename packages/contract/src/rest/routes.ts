// Routes: the method and the path of each operation. The client uses them without the schemas.

/** The method and the path of each operation, with `:name` for each parameter. */
export const routes = {
  listGates: { method: 'GET', path: '/api/v1/gates' },
  createGate: { method: 'POST', path: '/api/v1/gates' },
  getGate: { method: 'GET', path: '/api/v1/gates/:gateId' },
  updateGate: { method: 'PATCH', path: '/api/v1/gates/:gateId' },
  deactivateGate: { method: 'DELETE', path: '/api/v1/gates/:gateId' },
  getGateProfile: { method: 'GET', path: '/api/v1/gates/:gateId/profile' },
  updateGateProfile: { method: 'PATCH', path: '/api/v1/gates/:gateId/profile' },
  openGate: { method: 'POST', path: '/api/v1/gates/:gateId/open' },
  listMembers: { method: 'GET', path: '/api/v1/members' },
  createMember: { method: 'POST', path: '/api/v1/members' },
  getMember: { method: 'GET', path: '/api/v1/members/:memberId' },
  updateMember: { method: 'PATCH', path: '/api/v1/members/:memberId' },
  deactivateMember: { method: 'DELETE', path: '/api/v1/members/:memberId' },
  addAccess: { method: 'POST', path: '/api/v1/members/:memberId/accesses' },
  updateAccess: { method: 'PATCH', path: '/api/v1/members/:memberId/accesses/:accessId' },
  revokeAccess: { method: 'DELETE', path: '/api/v1/members/:memberId/accesses/:accessId' },
  resetMemberLink: { method: 'POST', path: '/api/v1/members/:memberId/link/reset' },
  sendInvitation: { method: 'POST', path: '/api/v1/members/:memberId/invitation' },
  listOpenings: { method: 'GET', path: '/api/v1/openings' },
  getOpening: { method: 'GET', path: '/api/v1/openings/:openingId' },
  followOpening: { method: 'GET', path: '/api/v1/openings/:openingId/events' },
  listActivity: { method: 'GET', path: '/api/v1/activity' },
} as const
