// The call plan: the next step of a running call, by its trace and the gate's profile.

import type { CallProfile } from '@callgate/contract/call/callProfile'
import type { HangUpWhy } from './callFacts.ts'
import type { CallTrace } from './callTracker.ts'

/** When ATH is due: a call with a poll before it then still lasts at most 60 s. */
const callLimitMs = 57_000
/**
 * How long to wait for the other signs of the end after the first one; they come in any order. Once the token and the
 * disconnection are both there, which is what the verdict needs, the wait is over.
 */
const endWindowMs = 800
/** Mode answer_release: how long the gate may take to drop the call that it answered. */
const releaseWithinMs = 15_000

export type CallStep =
  | { readonly step: 'wait'; readonly untilMs: number }
  | { readonly step: 'poll' }
  | { readonly step: 'hangUp'; readonly why: HangUpWhy }
  /** Nothing more will come: check that the call is over and the line is free, and decide the verdict. */
  | { readonly step: 'conclude' }

function hangUpDue(trace: CallTrace, profile: CallProfile): { atMs: number; why: HangUpWhy } {
  const limit = { atMs: callLimitMs, why: 'callLimit' } as const
  const earlier = (atMs: number, why: HangUpWhy) => (atMs < limit.atMs ? { atMs, why } : limit)
  if (trace.activeMs !== null) {
    if (profile.mode === 'answer_release')
      return earlier(trace.activeMs + releaseWithinMs, 'talkedLongEnough')
    if (profile.mode === 'answer_hold') return earlier(trace.activeMs + profile.holdMs, 'talkedLongEnough')
    return earlier(trace.activeMs, 'answered')
  }
  if (trace.alertedMs !== null) {
    const ringMs = profile.mode === 'ring' ? profile.ringHangupMs : profile.maxRingMs
    return earlier(trace.alertedMs + ringMs, 'rangLongEnough')
  }
  if (trace.acceptedMs !== null) return earlier(trace.acceptedMs + profile.setupTimeoutMs, 'setupTimeout')
  return limit
}

/**
 * The next step at `nowMs` (since ATD was written). `polledMs` is when the list of calls was last asked for or could first be
 * asked for; `pollMs` is null where polling hides the signs of a call.
 */
export function nextStep(
  trace: CallTrace,
  profile: CallProfile,
  poll: { readonly pollMs: number | null; readonly polledMs: number },
  nowMs: number,
): CallStep {
  if (trace.lostMs !== null || trace.dial === 'refused' || trace.dial === 'unsent')
    return { step: 'conclude' }
  if (trace.dial === 'unanswered') return { step: 'hangUp', why: 'unanswered' }
  if (trace.endMs !== null) {
    const untilMs = trace.endMs + endWindowMs
    // Signs before the first one of our call, or before ATD's OK, may belong to another call: what follows shows it.
    const wasSeen = trace.diallingMs !== null || trace.alertedMs !== null || trace.activeMs !== null
    const isComplete = wasSeen && trace.acceptedMs !== null && trace.endToken !== null && trace.isDisconnected
    return nowMs < untilMs && !isComplete ? { step: 'wait', untilMs } : { step: 'conclude' }
  }
  const due = hangUpDue(trace, profile)
  if (nowMs >= due.atMs) return { step: 'hangUp', why: due.why }
  // No byte may be written before ATD's OK (SIM800 AT manual V1.09 2.2.3).
  if (poll.pollMs === null || trace.acceptedMs === null) return { step: 'wait', untilMs: due.atMs }
  const pollAtMs = Math.max(poll.polledMs, trace.acceptedMs) + poll.pollMs
  return nowMs >= pollAtMs ? { step: 'poll' } : { step: 'wait', untilMs: Math.min(due.atMs, pollAtMs) }
}
