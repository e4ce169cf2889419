// The verdict: what the facts of one call say about the gate, by the decision table of modem.md, section 3.3.

import type { CallProfile, CallReason, Confidence, Verdict } from '../callProfile.ts'
import { type CallRecord, type CallTrace, factText, type TimedFact } from './callTracker.ts'

type Judgement = Pick<Verdict, 'status' | 'reason' | 'confidence' | 'opened' | 'safeToRetry'>

/** A call that did not open the gate, as sure as `confidence` says. */
function notOpened(
  status: 'failed' | 'timeout',
  reason: CallReason,
  confidence: Confidence,
  safeToRetry = false,
): Judgement {
  return { status, reason, confidence, opened: 'no', safeToRetry }
}

/** Nobody can know whether the gate moved. */
function unknown(reason: CallReason, status: 'failed' | 'timeout' = 'failed'): Judgement {
  return { status, reason, confidence: 'unknown', opened: 'unknown', safeToRetry: false }
}

function completed(reason: CallReason, confidence: Confidence): Judgement {
  return { status: 'completed', reason, confidence, opened: 'likely', safeToRetry: false }
}

/** `likely` is said only inside what was measured at a gate whose opening leaves a trace of its own. */
function learnedConfidence(profile: CallProfile, isInsideWindow: boolean): Confidence {
  return profile.learned && profile.discriminating && isInsideWindow ? 'likely' : 'assumed'
}

const has = (causes: readonly number[], cause: number | null) => cause !== null && causes.includes(cause)

/** Rows 1 to 3: the modem itself refused ATD, so that nothing was dialled (codes: SIM800 AT manual V1.09 19.1). */
function judgeRefusal(code: number | null): Judgement {
  if (code === null || has([10, 11, 12, 13, 14, 15, 16, 772], code))
    return notOpened('failed', 'sim_error', 'certain')
  if (has([30, 31, 32, 797], code)) return notOpened('failed', 'no_network', 'certain', true)
  if (code === 771) return notOpened('failed', 'line_in_use', 'certain', true)
  if (has([26, 27], code)) return notOpened('failed', 'bad_number', 'certain')
  return notOpened('failed', 'network_rejected', 'certain')
}

/** Rows 19 to 21: the modem or its port went away. */
function judgeLoss(trace: CallTrace): Judgement {
  if (trace.alertedMs !== null || trace.activeMs !== null) return unknown('modem_lost_after_ring')
  return trace.dial === 'accepted' ? unknown('modem_lost') : notOpened('failed', 'modem_lost', 'likely', true)
}

/** Rows 5 to 9: the call ended and the gate's phone never rang (causes: 3GPP TS 24.008 10.5.4.11). */
function judgeEarlyEnd(trace: CallTrace, endMs: number): Judgement {
  const { cause, endToken } = trace
  if (has([1, 3, 22, 28], cause)) return notOpened('failed', 'bad_number', 'certain')
  if (has([34, 38, 41, 42, 44, 47], cause)) return notOpened('failed', 'congestion', 'certain', true)
  if (has([8, 29, 50, 57, 63, 68], cause) || trace.services.includes(5))
    return notOpened('failed', 'network_rejected', 'likely')
  if (endToken === 'NO DIALTONE') return notOpened('failed', 'no_network', 'certain', true)
  if (cause === 17 || (endToken === 'BUSY' && !has([18, 20, 27], cause)))
    return notOpened('failed', 'busy', 'likely', true)
  if (has([18, 20, 27], cause)) return notOpened('failed', 'unreachable', 'likely')
  if (endToken === 'NO CARRIER' && endMs - (trace.acceptedMs ?? 0) < 3_000)
    return notOpened('failed', 'network_rejected', 'likely')
  // Without a token or a cause the ringing may have been lost with them.
  return endToken === null && cause === null
    ? unknown('unreachable')
    : notOpened('failed', 'unreachable', 'likely')
}

/** Rows 11 to 13: it rang for `ringMs` and the far end, or the network, ended the call. */
function judgeRung(trace: CallTrace, profile: CallProfile, ringMs: number): Judgement {
  const nobodyAnswered = has([18, 19, 102], trace.cause)
  if (profile.mode === 'ring') {
    if (ringMs >= profile.ringHangupMs) return completed('rang', 'assumed')
    return nobodyAnswered ? notOpened('timeout', 'rang_out', 'likely') : unknown('rejected')
  }
  const isReject = profile.mode !== 'answer_release' && profile.mode !== 'answer_hold'
  if (ringMs < profile.reactMinMs) return unknown('ended_too_early')
  if (ringMs > profile.reactMaxMs) {
    if (nobodyAnswered || trace.endToken === 'NO ANSWER' || !isReject)
      return notOpened('timeout', 'rang_out', learnedConfidence(profile, true))
    if (profile.mode === 'reject_delayed') return completed('rejected_after_ring', 'assumed')
    return unknown('late_release')
  }
  if (nobodyAnswered) return notOpened('timeout', 'rang_out', learnedConfidence(profile, true))
  if (trace.cause !== null && !has([16, 17, 21, 31], trace.cause)) return unknown('ended_too_early')
  if (!isReject) return unknown('rejected')
  // An end that only a poll showed is an end at an uncertain time.
  return completed('rejected_after_ring', learnedConfidence(profile, trace.isEndSignalled))
}

/** Rows 15 to 17: something answered. */
function judgeAnswered(trace: CallTrace, profile: CallProfile, activeMs: number): Judgement {
  if (profile.mode !== 'answer_release' && profile.mode !== 'answer_hold')
    return profile.rejectDiverts && profile.mode !== 'ring'
      ? completed('rejected_to_voicemail', learnedConfidence(profile, true))
      : unknown('answered_unexpectedly')
  const ringMs = activeMs - (trace.alertedMs ?? activeMs)
  const isLate = profile.answerNotAfterMs !== null && ringMs > profile.answerNotAfterMs
  if (isLate || trace.services.includes(2)) return unknown('voicemail_suspected')
  if (trace.endMs !== null && isRemoteEnd(trace)) {
    const rangFromMs = ringingSinceMs(trace, profile)
    const durationMs = rangFromMs === null ? -1 : trace.endMs - rangFromMs
    const isInside = durationMs >= profile.reactMinMs && durationMs <= profile.reactMaxMs
    const confidence = learnedConfidence(profile, isInside)
    if (profile.mode === 'answer_release') return completed('answered_released', confidence)
    return trace.endMs - activeMs >= 1_000 ? completed('answered', confidence) : unknown('dropped')
  }
  const isHeld = profile.mode === 'answer_hold' && trace.hangUpWhy === 'talkedLongEnough'
  return completed('answered', learnedConfidence(profile, isHeld))
}

/** When ringing began; on a route that never reports it, when dialling did. */
function ringingSinceMs(trace: CallTrace, profile: CallProfile): number | null {
  return trace.alertedMs ?? (profile.silentAlerting ? trace.diallingMs : null)
}

function isRemoteEnd(trace: CallTrace): boolean {
  return trace.endMs !== null && (trace.hangUpMs === null || trace.endMs < trace.hangUpMs)
}

/** Rows 10, 14 and 18: it was we who ended the call, before anything answered. */
function judgeHangUp(trace: CallTrace, profile: CallProfile): Judgement {
  if (trace.isUnheard) return unknown(trace.alertedMs === null ? 'modem_lost' : 'modem_lost_after_ring')
  if (trace.hangUpWhy === 'cancelled')
    return trace.alertedMs === null ? notOpened('failed', 'cancelled', 'likely') : unknown('cancelled')
  if (trace.alertedMs === null)
    return profile.silentAlerting
      ? unknown('no_ringing', 'timeout')
      : notOpened('timeout', 'no_ringing', 'likely')
  if (profile.mode === 'ring')
    return trace.hangUpWhy === 'rangLongEnough'
      ? completed('rang', 'assumed')
      : unknown('no_reaction', 'timeout')
  const answers = profile.mode === 'answer_release' || profile.mode === 'answer_hold'
  return notOpened('timeout', answers ? 'no_answer' : 'no_reaction', learnedConfidence(profile, true))
}

function judge(trace: CallTrace, profile: CallProfile): Judgement {
  if (trace.dial === 'unsent') return unknown('outcome_unknown')
  if (trace.dial === 'refused') return judgeRefusal(trace.refusal?.code ?? null)
  const hasEnded = isRemoteEnd(trace)
  if (trace.lostMs !== null && !hasEnded) return judgeLoss(trace)
  if (trace.dial === 'unanswered' && !hasEnded) return unknown('dial_no_response')
  if (trace.hangUpWhy === 'cancelled' && trace.activeMs !== null) return unknown('cancelled')
  if (trace.activeMs !== null) return judgeAnswered(trace, profile, trace.activeMs)
  if (trace.endMs === null || !hasEnded) return judgeHangUp(trace, profile)
  const rangFromMs = ringingSinceMs(trace, profile)
  return rangFromMs === null
    ? judgeEarlyEnd(trace, trace.endMs)
    : judgeRung(trace, profile, trace.endMs - rangFromMs)
}

function witnessesOf(facts: readonly TimedFact[]): string[] {
  const texts = facts
    .filter(({ fact }) => fact.fact !== 'emptyList')
    .map(({ fact }) => factText(fact).slice(0, 64))
  return [...new Set(texts)].slice(0, 16)
}

const between = (fromMs: number | null, toMs: number | null) =>
  fromMs === null || toMs === null ? null : Math.max(0, Math.round(toMs - fromMs))

/** The verdict on a finished call; the same facts and profile always give the same one. */
export function callVerdict({ facts, trace }: CallRecord, profile: CallProfile): Verdict {
  const judged = judge(trace, profile)
  const overMs = isRemoteEnd(trace) ? trace.endMs : (trace.hangUpMs ?? trace.lostMs ?? trace.endMs)
  const isTooSure = judged.confidence === 'certain' || judged.confidence === 'likely'
  return {
    ...judged,
    confidence: profile.mode === 'unverified' && isTooSure ? 'assumed' : judged.confidence,
    cause: trace.cause,
    endToken: trace.endToken,
    setupMs: between(0, trace.alertedMs ?? trace.activeMs),
    ringMs: between(trace.alertedMs, trace.activeMs ?? overMs),
    talkMs: between(trace.activeMs, overMs),
    witnesses: witnessesOf(facts),
  }
}
