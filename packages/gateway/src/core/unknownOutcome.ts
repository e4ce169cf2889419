// The report of a call whose end the daemon did not see.

import type { Report } from '@callgate/contract/wire/messages'

/** The report when the daemon stopped during a call. The call may have opened the gate. */
export const unknownOutcome: Report = {
  phase: 'ended',
  sinceClaimMs: null,
  evidence: null,
  verdict: {
    status: 'failed',
    reason: 'outcome_unknown',
    confidence: 'unknown',
    opened: 'unknown',
    safeToRetry: false,
    cause: null,
    endToken: null,
    setupMs: null,
    ringMs: null,
    talkMs: null,
    witnesses: ['journal'],
  },
}
