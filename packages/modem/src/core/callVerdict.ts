// The verdict: what the facts of one call say about the gate, by the decision table of docs/verdicts.md.

import type { CallProfile } from '@callgate/contract/call/callProfile'
import type { CallVerdict } from '@callgate/contract/call/verdict'
import { factText } from './callFacts.ts'
import type { CallRecord, CallTrace, TimedFact } from './callTracker.ts'
import {
  atMost,
  type Conclusion,
  completed,
  concludeNobodyAnswered,
  didRing,
  has,
  isSaidUntaken,
  learnedConfidence,
  notOpened,
  opensWithNoAnswer,
  rejectCauses,
  soonestReactionMs,
  unknown,
} from './conclusion.ts'
import { concludeLoss, concludeNoDialtone, concludeRefusal } from './lostCall.ts'

/**
 * The shortest time from the report that the call is dialled to its end, and from the OK of ATD to a busy tone: the network
 * has to give a channel first. Lines that came closer together have waited while our program stalled.
 */
const soonestEndMs = 300

/** Whether it was measured that ringing is reported where this gate is called. Later calls may take another route. */
const reportsRinging = (profile: CallProfile) => profile.learned && !profile.silentAlerting

/**
 * Rows 5 to 9: the call ended and no ringing was reported (causes: 3GPP TS 24.008 10.5.4.11). Some routes never report ringing,
 * and others can stop doing so. There, a gate that rejects and opens leaves the same trace as a busy one. So a `no` needs an end
 * that came too soon for a gate to react, or a reason of the network's own. A retry is safe only after an end that came too soon.
 */
function concludeEarlyEnd(trace: CallTrace, profile: CallProfile, endMs: number): Conclusion {
  const { cause, endToken } = trace
  if (has([1, 3, 22, 28], cause)) return notOpened('failed', 'bad_number', 'certain')
  if (has([34, 38, 41, 42, 44, 47], cause)) return notOpened('failed', 'congestion', 'certain', true)
  if (cause === 68) return notOpened('failed', 'no_credit', 'likely')
  if (cause === 8 || trace.services.includes(5)) return notOpened('failed', 'calls_barred', 'likely')
  if (has([29, 50, 57, 63], cause)) return notOpened('failed', 'network_rejected', 'likely')
  // Without ringing, a cause alone means that the module is absent. It says nothing about a gate that only has to be rung.
  const isToldOfIt = (endToken === 'NO ANSWER' && !opensWithNoAnswer(profile)) || profile.mode === 'ring'
  const nobody = isToldOfIt ? concludeNobodyAnswered(trace, profile) : undefined
  if (nobody) return nobody
  if (has([18, 20, 27], cause)) return notOpened('failed', 'unreachable', 'likely')
  const isBusy = cause === 17 || endToken === 'BUSY'
  // A modem may refuse a call by itself right after its OK, as an EG25 without IMS does. It cannot know that the gate is busy.
  const beganMs = trace.diallingMs ?? (isBusy ? trace.acceptedMs : null)
  const hasWaited = beganMs !== null && endMs - beganMs < soonestEndMs
  const isSoon = endMs < soonestReactionMs && !hasWaited
  const reason = isBusy
    ? 'busy'
    : endToken === 'NO CARRIER' && endMs < 3_000
      ? 'network_rejected'
      : 'unreachable'
  // Where the token and the cause are missing, or replies were lost, the ringing may have been lost too.
  const isOkLost = trace.acceptedMs === null && !isSoon
  if (trace.isUnheard || isOkLost || (endToken === null && cause === null)) return unknown(reason)
  const mayBeReject = cause === null || rejectCauses.includes(cause)
  if (mayBeReject && !isSoon) return unknown(reason)
  const confidence = mayBeReject && !reportsRinging(profile) ? 'assumed' : 'likely'
  return notOpened('failed', reason, confidence, isBusy && isSoon)
}

/** The far end forwards the call or has another one (+CSSI, 3.2.54): then the gate did not end the ringing. */
function concludeDiverted(trace: CallTrace): Conclusion | undefined {
  if (trace.services.includes(2)) return unknown('voicemail_suspected')
  return trace.services.includes(3) ? unknown('busy') : undefined
}

/**
 * A hang-up of another program on this modem leaves the cause of a normal end and no token. A reject of the far end leaves
 * a token.
 */
const mayBeHungUpHere = ({ cause, endToken }: CallTrace) => endToken === null && cause === 16

/** Rows 11 to 13: it rang for `ringMs` and the far end, or the network, ended the call. */
function concludeRung(trace: CallTrace, profile: CallProfile, ringMs: number): Conclusion {
  const diverted = concludeDiverted(trace)
  if (diverted) return diverted
  if (profile.mode === 'ring' && ringMs >= profile.ringHangupMs) return completed('rang', 'assumed')
  const isReject = profile.mode !== 'answer_release' && profile.mode !== 'answer_hold'
  const isInside = ringMs >= profile.reactMinMs && ringMs <= profile.reactMaxMs
  const mayBeItsReject = trace.endToken === 'NO ANSWER' && opensWithNoAnswer(profile) && isReject && isInside
  const nobody = mayBeItsReject ? undefined : concludeNobodyAnswered(trace, profile)
  if (nobody) return nobody
  if (profile.mode === 'ring') return unknown('rejected')
  const isOtherCause = trace.isCauseStrange || (trace.cause !== null && !rejectCauses.includes(trace.cause))
  if (ringMs < profile.reactMinMs) return unknown('ended_too_early')
  if (ringMs > profile.reactMaxMs) {
    // A gate that rejects late and opens, under a wrong profile, looks the same unless the network says otherwise.
    if (!isReject) return unknown('rang_out', 'timeout')
    if (profile.mode === 'reject_delayed' && !isOtherCause && !mayBeHungUpHere(trace))
      return completed('rejected_after_ring', 'assumed')
    return unknown('late_release')
  }
  if (isOtherCause && !mayBeItsReject) return unknown('ended_too_early')
  // On a modem that cannot tell an answer from ringing, a gate that answers and drops looks like one that rejects.
  if (profile.mode === 'answer_release' && trace.isSaidActive && !mayBeHungUpHere(trace))
    return completed('answered_released', 'assumed')
  if (!isReject) return unknown('rejected')
  if (mayBeHungUpHere(trace)) return unknown('outcome_unknown')
  // The time of an end that only a poll showed is uncertain, and without ringing a busy gate looks the same.
  const isClear = trace.isEndSignalled && didRing(trace)
  return completed('rejected_after_ring', learnedConfidence(profile, isClear))
}

/** No module answers sooner: it waits for the caller's number, which comes with the first ring. */
const soonestAnswerMs = 700

/** Rows 15 to 17: something answered. */
function concludeAnswered(trace: CallTrace, profile: CallProfile, activeMs: number): Conclusion {
  if (profile.mode !== 'answer_release' && profile.mode !== 'answer_hold')
    return profile.rejectDiverts && profile.mode !== 'ring' && !isSaidUntaken(trace)
      ? completed('rejected_to_voicemail', learnedConfidence(profile, didRing(trace)))
      : unknown('answered_unexpectedly')
  // Where ringing is reported, an answer without it is an announcement of the network: no credit, or no such subscriber.
  if (trace.alertedMs === null && reportsRinging(profile)) return unknown('answered_unexpectedly')
  const ringMs = activeMs - (trace.alertedMs ?? activeMs)
  // Some modems report a call as active as soon as it rings, and without ringing it may be an announcement of the network.
  const looksAnswered = didRing(trace) && ringMs >= soonestAnswerMs
  const isLate = profile.answerNotAfterMs !== null && ringMs > profile.answerNotAfterMs
  if (isLate || trace.services.includes(2)) return unknown('voicemail_suspected')
  // The network contradicts the modem, which reports more than answers as `active`. The network is right.
  if (isSaidUntaken(trace)) return unknown('rang_out', 'timeout')
  if (trace.endMs !== null && isRemoteEnd(trace)) {
    const rangFromMs = ringingSinceMs(trace, profile)
    const durationMs = rangFromMs === null ? -1 : trace.endMs - rangFromMs
    const isInside = durationMs >= profile.reactMinMs && durationMs <= profile.reactMaxMs
    const confidence = learnedConfidence(profile, isInside && looksAnswered)
    if (profile.mode === 'answer_release') return completed('answered_released', confidence)
    return trace.endMs - activeMs >= 1_000 ? completed('answered', confidence) : unknown('dropped')
  }
  const isHeld = profile.mode === 'answer_hold' && trace.hangUpWhy === 'talkedLongEnough'
  return completed('answered', learnedConfidence(profile, isHeld && looksAnswered))
}

/** The start of the ringing; on a route that never reports it, the start of dialling. */
function ringingSinceMs(trace: CallTrace, profile: CallProfile): number | null {
  return trace.alertedMs ?? (profile.silentAlerting ? trace.diallingMs : null)
}

function isRemoteEnd(trace: CallTrace): boolean {
  return trace.endMs !== null && (trace.hangUpMs === null || trace.endMs < trace.hangUpMs)
}

/**
 * Whether the call may have ended unnoticed before we hung up: the last list did not show it, and no sign of its end followed our
 * hang-up.
 */
const mayHaveEnded = ({ isAbsent, isEndSignalled }: CallTrace) => isAbsent && !isEndSignalled

/** Rows 10, 14 and 18: we ended the call before anything answered. */
function concludeHangUp(trace: CallTrace, profile: CallProfile): Conclusion {
  const conclusion = concludeOurEnd(trace, profile)
  const { reason, status } = conclusion
  return mayHaveEnded(trace) ? unknown(reason, status === 'timeout' ? 'timeout' : 'failed') : conclusion
}

function concludeOurEnd(trace: CallTrace, profile: CallProfile): Conclusion {
  if (trace.isUnheard) return unknown(trace.alertedMs === null ? 'modem_lost' : 'modem_lost_after_ring')
  const isSoon = (trace.hangUpMs ?? 0) < soonestReactionMs
  if (trace.hangUpWhy === 'cancelled')
    return trace.alertedMs === null && isSoon
      ? notOpened('failed', 'cancelled', 'likely')
      : unknown('cancelled')
  if (trace.alertedMs === null)
    return profile.silentAlerting || profile.mode === 'ring'
      ? unknown('no_ringing', 'timeout')
      : notOpened('timeout', 'no_ringing', profile.learned ? 'likely' : 'assumed')
  if (profile.mode === 'ring')
    return (
      concludeDiverted(trace) ??
      (trace.hangUpWhy === 'rangLongEnough'
        ? completed('rang', 'assumed')
        : unknown('no_reaction', 'timeout'))
    )
  const answers = profile.mode === 'answer_release' || profile.mode === 'answer_hold'
  return notOpened('timeout', answers ? 'no_answer' : 'no_reaction', learnedConfidence(profile, true))
}

function conclude(trace: CallTrace, profile: CallProfile): Conclusion {
  if (trace.dial === 'unsent') return unknown('outcome_unknown')
  if (trace.refusal) return concludeRefusal(trace.refusal)
  // The ringing may have ended unnoticed, or before our late hang-up.
  if (trace.hasStoodStill) return unknown('outcome_unknown')
  const hasEnded = isRemoteEnd(trace)
  // The lists were wrong: the call went on until we hung up.
  if (trace.isEndOurs) return unknown('outcome_unknown')
  if (trace.lostMs !== null && (!hasEnded || trace.lostWhy === 'settingsGone'))
    return concludeLoss(trace, trace.lostMs)
  if (trace.dial !== 'accepted' && trace.hangUpWhy === 'unanswered' && !hasEnded)
    return unknown('dial_no_response')
  if (trace.hangUpWhy === 'cancelled' && trace.activeMs !== null) return unknown('cancelled')
  if (hasEnded && trace.endToken === 'NO DIALTONE') return concludeNoDialtone(trace)
  // Nothing shows which of two calls has ended.
  if (hasEnded && trace.isEndUnproven && trace.hasOtherCall && !trace.isDisconnected)
    return unknown('outcome_unknown')
  // The network was lost during the call, which says nothing about the far end.
  if (hasEnded && trace.isOffNetwork) return unknown('outcome_unknown')
  if (trace.activeMs !== null) return concludeAnswered(trace, profile, trace.activeMs)
  if (trace.endMs === null || !hasEnded) return concludeHangUp(trace, profile)
  const rangFromMs = ringingSinceMs(trace, profile)
  return rangFromMs === null
    ? concludeEarlyEnd(trace, profile, trace.endMs)
    : concludeRung(trace, profile, trace.endMs - rangFromMs)
}

/**
 * A gate with an unknown profile may be one that opens by the ringing alone. So it certainly stays shut only where such a gate
 * would, too.
 */
function asUnverified(conclusion: Conclusion, trace: CallTrace, profile: CallProfile): Conclusion {
  if (conclusion.opened !== 'no' || conclude(trace, { ...profile, mode: 'ring' }).opened === 'no')
    return conclusion
  return { ...conclusion, confidence: 'unknown', opened: 'unknown', safeToRetry: false }
}

/**
 * On a modem that shows no reject, an opening looks like unanswered ringing (docs/sim800.md, rule 4). A certain verdict stays
 * certain, because the network or the modem reported it explicitly.
 */
function asSensed(conclusion: Conclusion, { alertedMs, senses }: CallTrace): Conclusion {
  if (senses.rejectIsSeen || conclusion.confidence === 'certain') return conclusion
  if (alertedMs !== null && conclusion.opened === 'no')
    return { ...conclusion, confidence: 'unknown', opened: 'unknown', safeToRetry: false }
  return { ...conclusion, confidence: atMost('assumed', conclusion.confidence) }
}

/** Rows 22 and 23: a confirmation of the gate, or a missing one, outweighs what the call says. */
function asConfirmed(conclusion: Conclusion, trace: CallTrace): Conclusion {
  const { confirmation, dial } = trace
  if (confirmation === null || dial === 'refused') return conclusion
  if (confirmation === 'certain') return { ...completed('confirmed', 'certain'), opened: 'yes' }
  // It may be the late confirmation of an earlier call.
  if (confirmation === 'mayBeLate') return completed('confirmed', 'assumed')
  return conclusion.status === 'completed'
    ? { ...conclusion, confidence: atMost('assumed', conclusion.confidence) }
    : conclusion
}

function witnessesOf(facts: readonly TimedFact[]): string[] {
  const texts = facts
    .filter(({ fact }) => fact.fact !== 'emptyList')
    .map(({ fact }) => factText(fact).slice(0, 64))
  const all = [...new Set(texts)]
  // The confirmation of the gate is applied last and overrides the rest.
  return all.length <= 16 ? all : [...all.slice(0, 15), ...all.slice(-1)]
}

const between = (fromMs: number | null, toMs: number | null) =>
  fromMs === null || toMs === null ? null : Math.max(0, Math.round(toMs - fromMs))

/** The verdict on a finished call; the same facts and profile always give the same one. */
export function callVerdict({ facts, trace }: CallRecord, profile: CallProfile): CallVerdict {
  const conclusion = conclude(trace, profile)
  const isUnverified = profile.mode === 'unverified'
  const ofCall = asSensed(isUnverified ? asUnverified(conclusion, trace, profile) : conclusion, trace)
  // Where replies were lost, a report of a lost network may have been lost too.
  const isDoubtful = trace.hasGap || (trace.isEndUnproven && !trace.isDisconnected)
  const isAssumed = isUnverified || (isDoubtful && ofCall.opened === 'likely')
  const ofGate = {
    ...ofCall,
    confidence: isAssumed ? atMost('assumed', ofCall.confidence) : ofCall.confidence,
  }
  const overMs = isRemoteEnd(trace) ? trace.endMs : (trace.hangUpMs ?? trace.lostMs ?? trace.endMs)
  return {
    ...asConfirmed(ofGate, trace),
    cause: trace.cause,
    endToken: trace.endToken,
    setupMs: between(0, trace.alertedMs ?? trace.activeMs),
    ringMs: between(trace.alertedMs, trace.activeMs ?? overMs),
    talkMs: between(trace.activeMs, overMs),
    witnesses: witnessesOf(facts),
  }
}
