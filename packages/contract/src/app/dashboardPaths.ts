// The addresses of the dashboard's pages, in the browser. The cloud answers these, and no other address, with its HTML.

/** Each page with its path, with `:name` for each parameter. */
export const dashboardPaths = {
  home: '/',
  invitation: '/invitation',
  enrol: '/enrol',
  passwordForgotten: '/password-forgotten',
  passwordReset: '/password-reset',
  account: '/account',
  gates: '/spaces/:spaceId/gates',
  firstSteps: '/spaces/:spaceId/gates/first-steps',
  gate: '/spaces/:spaceId/gates/:gateId',
  calibration: '/spaces/:spaceId/gates/:gateId/calibration',
  history: '/spaces/:spaceId/history',
  alerts: '/spaces/:spaceId/alerts',
  activity: '/spaces/:spaceId/activity',
  gateways: '/spaces/:spaceId/gateways',
  gateway: '/spaces/:spaceId/gateways/:gatewayId',
  members: '/spaces/:spaceId/members',
  newMember: '/spaces/:spaceId/members/new',
  member: '/spaces/:spaceId/members/:memberId',
  settings: '/spaces/:spaceId/settings',
  apiKeys: '/spaces/:spaceId/settings/keys',
  webhooks: '/spaces/:spaceId/settings/webhooks',
  users: '/spaces/:spaceId/settings/users',
  alertChoices: '/spaces/:spaceId/settings/alerts',
  plan: '/spaces/:spaceId/settings/plan',
} as const
