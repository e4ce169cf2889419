// The outcome of a call that nobody followed to its end.

import type { Report } from '@callgate/contract/wire/messages'

/** What is reported of a call during which the daemon stopped. It may have opened the gate. */
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
