// Where a gateway that is being enrolled asks. It has no key of the API: a code, and then its own key, say who it is.

export const enrolmentRoutes = {
  takeCode: { method: 'POST', path: '/enrol/v1/enrolments' },
  askForLogin: { method: 'POST', path: '/enrol/v1/enrolments/:enrolmentId/login' },
  confirmStored: { method: 'POST', path: '/enrol/v1/enrolments/:enrolmentId/stored' },
} as const
