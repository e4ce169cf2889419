// Conclusions: what a verdict can be, and the conclusion where the network says that nobody took the call.

import type { CallProfile } from '@callgate/contract/call/callProfile'
import type { CallReason } from '@callgate/contract/call/reason'
import type { CallVerdict, Confidence } from '@callgate/contract/call/verdict'
import type { CallTrace } from './callTracker.ts'

export type Conclusion = Pick<CallVerdict, 'status' | 'reason' | 'confidence' | 'opened' | 'safeToRetry'>

/** A call that did not open the gate, with the given confidence. */
export function notOpened(
  status: 'failed' | 'timeout',
  reason: CallReason,
  confidence: Confidence,
  safeToRetry = false,
): Conclusion {
  return { status, reason, confidence, opened: 'no', safeToRetry }
}

/** The gate may or may not have moved. */
export function unknown(reason: CallReason, status: 'failed' | 'timeout' = 'failed'): Conclusion {
  return { status, reason, confidence: 'unknown', opened: 'unknown', safeToRetry: false }
}

export function completed(reason: CallReason, confidence: Confidence): Conclusion {
  return { status: 'completed', reason, confidence, opened: 'likely', safeToRetry: false }
}

/** `likely` only within what was measured at this gate, and only where an opening leaves signs of its own. */
export function learnedConfidence(profile: CallProfile, isInsideWindow: boolean): Confidence {
  return profile.learned && profile.discriminating && isInsideWindow ? 'likely' : 'assumed'
}

export const has = (causes: readonly number[], cause: number | null) =>
  cause !== null && causes.includes(cause)

const confidences: readonly Confidence[] = ['certain', 'likely', 'assumed', 'unknown']

/** The less sure of the two. */
export function atMost(most: Confidence, confidence: Confidence): Confidence {
  // Not tested: no confidence at this place; both are in the list.
  return confidences[Math.max(confidences.indexOf(most), confidences.indexOf(confidence))] ?? 'unknown'
}

/** Causes that a rejecting gate may leave. Any other cause comes from the network itself. */
export const rejectCauses = [16, 17, 21, 31]

/** Whether calibration saw this gate open with NO ANSWER. Then that token may be its reject here. */
export const opensWithNoAnswer = (profile: CallProfile) => profile.learned && profile.noAnswerOpens === true

/** Whether another gateway, or this one on another route, saw that. Then the token proves nothing here. */
const mayOpenWithNoAnswer = (profile: CallProfile) => !profile.learned && profile.noAnswerOpens === true

/** The network says, by token or cause, that nobody took the call. */
export const isSaidUntaken = ({ cause, endToken }: CallTrace) =>
  endToken === 'NO ANSWER' || has([18, 19, 102], cause)

/**
 * The conclusion where the network reports that nobody took the call, which outweighs any time of ringing; otherwise undefined. A
 * cause that a rejecting gate leaves contradicts the token. A gate that opens by the ringing alone never takes the call, so there
 * the report says nothing about the gate.
 */
export function concludeNobodyAnswered(trace: CallTrace, profile: CallProfile): Conclusion | undefined {
  if (!isSaidUntaken(trace)) return undefined
  const mayBeReject = trace.endToken === 'NO ANSWER' && mayOpenWithNoAnswer(profile)
  return mayBeReject || profile.mode === 'ring' || has(rejectCauses, trace.cause)
    ? unknown('rang_out', 'timeout')
    : notOpened('timeout', 'rang_out', 'likely')
}

/** Ringing was reported. */
export const didRing = ({ alertedMs }: CallTrace) => alertedMs !== null

/**
 * The shortest time from ATD to a reaction of the gate: ringing begins after 5 to 10 s, 3 s in the best case, and a
 * module needs a ring to see the caller's number. It counts from ATD and never from its OK, which may come late.
 */
export const soonestReactionMs = 4_000
