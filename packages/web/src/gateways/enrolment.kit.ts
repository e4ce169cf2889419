// An enrolment in tests, in the contract's form, with the test's changes.

import type { EnrolmentView } from '@callgate/contract/app/enrolment'

/** An enrolment whose code waits for a gateway. */
export const enrolmentOf = (given: Partial<EnrolmentView> = {}): EnrolmentView => ({
  id: 'enrol_01kdhw5r9t2v4x6z8b1d3f5h7j',
  name: '',
  state: 'waiting',
  isForCard: false,
  replaces: null,
  createdAt: '2026-01-05T08:00:00.000Z',
  expiresAt: '2026-01-05T08:10:00.000Z',
  wrongTries: 0,
  gateway: null,
  gatewayId: null,
  ...given,
})
