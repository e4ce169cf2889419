// The verdict: what the facts of one call say about the gate, by the decision table of modem.md, section 3.3.

import type { CallProfile } from '@callgate/contract/call/callProfile'
import type { CallVerdict } from '@callgate/contract/call/verdict'
import { factText } from './callFacts.ts'
import type { CallRecord, CallTrace, TimedFact } from './callTracker.ts'
import {
  atMost,
  completed,
  has,
  isSaidUntaken,
  type Judgement,
  judgeNobodyAnswered,
  learnedConfidence,
  notOpened,
  opensWithNoAnswer,
  rejectCauses,
  unknown,
} from './judgement.ts'
import type { ModemError } from './lines.ts'

/**
 * From ATD to the soonest that a gate can have reacted: ringing takes 5 to 10 s to begin (modem.md, 1.5; 3 s where all
 * goes well), and a module needs a ring to see the caller's number. Never from the OK, which may come late.
 */
const soonestReactionMs = 4_000

/** Whether it was measured that ringing is reported where this gate is called. */
const reportsRinging = (profile: CallProfile) => profile.learned && !profile.silentAlerting

/**
 * Rows 1 to 3: the modem itself refused ATD, so that nothing was dialled (codes: SIM800 AT manual V1.09 19.1). A text that
 * is not in the manual names no SIM card, as a plain ERROR does in row 1.
 */
function judgeRefusal({ code, text }: ModemError): Judgement {
  if ((code === null && text === 'ERROR') || has([10, 11, 12, 13, 14, 15, 16, 772], code))
    return notOpened('failed', 'sim_error', 'certain')
  if (has([30, 31, 32, 797], code)) return notOpened('failed', 'no_network', 'certain', true)
  if (code === 771) return notOpened('failed', 'line_in_use', 'certain', true)
  if (has([26, 27], code)) return notOpened('failed', 'bad_number', 'certain')
  return notOpened('failed', 'network_rejected', 'certain')
}

/** Row 2, where the token came in the place of ATD's OK; after it, the network went away under a call. */
function judgeNoDialtone(trace: CallTrace): Judgement {
  const { acceptedMs, activeMs, alertedMs, diallingMs, endMs } = trace
  const wasPlaced = [acceptedMs, diallingMs, alertedMs, activeMs].some(ms => ms !== null)
  if (!wasPlaced) return notOpened('failed', 'no_network', 'certain', true)
  const isSoon = (endMs ?? 0) < soonestReactionMs && alertedMs === null && activeMs === null
  return isSoon ? notOpened('failed', 'no_network', 'likely', true) : unknown('outcome_unknown')
}

/**
 * Rows 19 to 21: the modem or its port went away. A port says nothing of the modem behind it: on a supply of its own
 * that may still carry out the ATD whose OK was never heard. Only a modem that says that it began anew, and too soon
 * for a gate to have reacted, is believed to have opened nothing.
 */
function judgeLoss(trace: CallTrace, lostMs: number): Judgement {
  if (trace.alertedMs !== null || trace.activeMs !== null) return unknown('modem_lost_after_ring')
  const hasBegunAnew = trace.lostWhy === 'restarted' && lostMs < soonestReactionMs
  return trace.dial === 'waiting' && hasBegunAnew
    ? notOpened('failed', 'modem_lost', 'likely', true)
    : unknown('modem_lost')
}

/**
 * Rows 5 to 9: the call ended and no ringing was reported (causes: 3GPP TS 24.008 10.5.4.11). Some routes never report
 * it, and there a gate that rejects, and opens, leaves just the trace of a busy one. So `no` is likely only where this
 * route is known to report ringing, or where the network gives a reason of its own; and another try is safe only after
 * an end that came too soon for a gate to have reacted.
 */
function judgeEarlyEnd(trace: CallTrace, profile: CallProfile, endMs: number): Judgement {
  const { cause, endToken } = trace
  if (has([1, 3, 22, 28], cause)) return notOpened('failed', 'bad_number', 'certain')
  if (has([34, 38, 41, 42, 44, 47], cause)) return notOpened('failed', 'congestion', 'certain', true)
  if (has([8, 29, 50, 57, 63, 68], cause) || trace.services.includes(5))
    return notOpened('failed', 'network_rejected', 'likely')
  // Without ringing a cause alone says rather that the module is absent, but of a gate that only has to be rung nothing.
  const isToldOfIt = (endToken === 'NO ANSWER' && !opensWithNoAnswer(profile)) || profile.mode === 'ring'
  const nobody = isToldOfIt ? judgeNobodyAnswered(trace, profile) : undefined
  if (nobody) return nobody
  if (has([18, 20, 27], cause)) return notOpened('failed', 'unreachable', 'likely')
  const isSoon = endMs < soonestReactionMs
  const isBusy = cause === 17 || endToken === 'BUSY'
  const reason = isBusy
    ? 'busy'
    : endToken === 'NO CARRIER' && endMs < 3_000
      ? 'network_rejected'
      : 'unreachable'
  // Without a token or a cause the ringing may have been lost with them, and on a line that loses replies as well.
  const isOkLost = trace.acceptedMs === null && !isSoon
  if (trace.isUnheard || isOkLost || (endToken === null && cause === null)) return unknown(reason)
  const mayBeReject = cause === null || rejectCauses.includes(cause)
  if (mayBeReject && !isSoon && !reportsRinging(profile)) return unknown(reason)
  const confidence = mayBeReject && !reportsRinging(profile) ? 'assumed' : 'likely'
  return notOpened('failed', reason, confidence, isBusy && isSoon)
}

/** What the network says of the line at the far end (+CSSI, 3.2.54), where nothing that ends the ringing is the gate's. */
function judgeDiverted(trace: CallTrace): Judgement | undefined {
  if (trace.services.includes(2)) return unknown('voicemail_suspected')
  return trace.services.includes(3) ? unknown('busy') : undefined
}

/** Rows 11 to 13: it rang for `ringMs` and the far end, or the network, ended the call. */
function judgeRung(trace: CallTrace, profile: CallProfile, ringMs: number): Judgement {
  const diverted = judgeDiverted(trace)
  if (diverted) return diverted
  if (profile.mode === 'ring' && ringMs >= profile.ringHangupMs) return completed('rang', 'assumed')
  const isReject = profile.mode !== 'answer_release' && profile.mode !== 'answer_hold'
  const isInside = ringMs >= profile.reactMinMs && ringMs <= profile.reactMaxMs
  const mayBeItsReject = trace.endToken === 'NO ANSWER' && opensWithNoAnswer(profile) && isReject && isInside
  const nobody = mayBeItsReject ? undefined : judgeNobodyAnswered(trace, profile)
  if (nobody) return nobody
  if (profile.mode === 'ring') return unknown('rejected')
  if (ringMs < profile.reactMinMs) return unknown('ended_too_early')
  if (ringMs > profile.reactMaxMs) {
    // Without the network's word for it, a gate that rejects late, and opens, under a wrong profile looks just so.
    if (!isReject) return unknown('rang_out', 'timeout')
    if (profile.mode === 'reject_delayed') return completed('rejected_after_ring', 'assumed')
    return unknown('late_release')
  }
  const isOtherCause = trace.cause !== null && !rejectCauses.includes(trace.cause)
  if (isOtherCause && !mayBeItsReject) return unknown('ended_too_early')
  // Where an answer is not told from ringing, a gate that answers and drops looks like one that rejects.
  if (profile.mode === 'answer_release' && trace.isSaidActive)
    return completed('answered_released', 'assumed')
  if (!isReject) return unknown('rejected')
  // An end that only a poll showed is an end at an uncertain time.
  return completed('rejected_after_ring', learnedConfidence(profile, trace.isEndSignalled))
}

/** No module answers sooner: it waits for the caller's number, which comes with the first ring (modem.md, 2). */
const soonestAnswerMs = 700

/** Rows 15 to 17: something answered. */
function judgeAnswered(trace: CallTrace, profile: CallProfile, activeMs: number): Judgement {
  if (profile.mode !== 'answer_release' && profile.mode !== 'answer_hold')
    return profile.rejectDiverts && profile.mode !== 'ring' && !isSaidUntaken(trace)
      ? completed('rejected_to_voicemail', learnedConfidence(profile, true))
      : unknown('answered_unexpectedly')
  // Where ringing is reported, what answers without it is the network's own voice: no credit, or no such subscriber.
  if (trace.alertedMs === null && reportsRinging(profile)) return unknown('answered_unexpectedly')
  const ringMs = activeMs - (trace.alertedMs ?? activeMs)
  // Some modems call a call active as soon as it rings; of what does not look like an answer nothing is likely.
  const looksAnswered = profile.silentAlerting || ringMs >= soonestAnswerMs
  const isLate = profile.answerNotAfterMs !== null && ringMs > profile.answerNotAfterMs
  if (isLate || trace.services.includes(2)) return unknown('voicemail_suspected')
  // The network's word against the modem's, which calls a call active for more than an answer.
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

/** When ringing began; on a route that never reports it, when dialling did. */
function ringingSinceMs(trace: CallTrace, profile: CallProfile): number | null {
  return trace.alertedMs ?? (profile.silentAlerting ? trace.diallingMs : null)
}

function isRemoteEnd(trace: CallTrace): boolean {
  return trace.endMs !== null && (trace.hangUpMs === null || trace.endMs < trace.hangUpMs)
}

/**
 * Whether the call may have ended unseen before we hung up: the last list did not show it, and no end of it answered our
 * hang-up.
 */
const mayHaveEnded = ({ isAbsent, isEndSignalled }: CallTrace) => isAbsent && !isEndSignalled

/** Rows 10, 14 and 18: it was we who ended the call, before anything answered. */
function judgeHangUp(trace: CallTrace, profile: CallProfile): Judgement {
  const judged = judgeOurEnd(trace, profile)
  const { reason, status } = judged
  return mayHaveEnded(trace) ? unknown(reason, status === 'timeout' ? 'timeout' : 'failed') : judged
}

function judgeOurEnd(trace: CallTrace, profile: CallProfile): Judgement {
  if (trace.isUnheard) return unknown(trace.alertedMs === null ? 'modem_lost' : 'modem_lost_after_ring')
  const isSoon = (trace.hangUpMs ?? 0) < soonestReactionMs
  if (trace.hangUpWhy === 'cancelled')
    return trace.alertedMs === null && (isSoon || reportsRinging(profile))
      ? notOpened('failed', 'cancelled', 'likely')
      : unknown('cancelled')
  if (trace.alertedMs === null)
    return profile.silentAlerting
      ? unknown('no_ringing', 'timeout')
      : notOpened('timeout', 'no_ringing', profile.learned ? 'likely' : 'assumed')
  if (profile.mode === 'ring')
    return (
      judgeDiverted(trace) ??
      (trace.hangUpWhy === 'rangLongEnough'
        ? completed('rang', 'assumed')
        : unknown('no_reaction', 'timeout'))
    )
  const answers = profile.mode === 'answer_release' || profile.mode === 'answer_hold'
  return notOpened('timeout', answers ? 'no_answer' : 'no_reaction', learnedConfidence(profile, true))
}

function judge(trace: CallTrace, profile: CallProfile): Judgement {
  if (trace.dial === 'unsent') return unknown('outcome_unknown')
  if (trace.refusal) return judgeRefusal(trace.refusal)
  // A ring may have been cut short unseen, or by an end that our own late hang-up seems to come before.
  if (trace.hasStoodStill) return unknown('outcome_unknown')
  const hasEnded = isRemoteEnd(trace)
  // The lists were wrong: the call went on until we hung up.
  if (trace.isEndOurs) return unknown('outcome_unknown')
  if (trace.lostMs !== null && (!hasEnded || trace.lostWhy === 'settingsGone'))
    return judgeLoss(trace, trace.lostMs)
  if (trace.dial !== 'accepted' && trace.hangUpWhy === 'unanswered' && !hasEnded)
    return unknown('dial_no_response')
  if (trace.hangUpWhy === 'cancelled' && trace.activeMs !== null) return unknown('cancelled')
  if (hasEnded && trace.endToken === 'NO DIALTONE') return judgeNoDialtone(trace)
  // Nothing shows which of two calls has ended.
  if (hasEnded && trace.isEndUnproven && trace.hasOtherCall && !trace.isDisconnected)
    return unknown('outcome_unknown')
  // The network was lost under the call, which says nothing of what its far end did.
  if (hasEnded && trace.isOffNetwork) return unknown('outcome_unknown')
  if (trace.activeMs !== null) return judgeAnswered(trace, profile, trace.activeMs)
  if (trace.endMs === null || !hasEnded) return judgeHangUp(trace, profile)
  const rangFromMs = ringingSinceMs(trace, profile)
  return rangFromMs === null
    ? judgeEarlyEnd(trace, profile, trace.endMs)
    : judgeRung(trace, profile, trace.endMs - rangFromMs)
}

/**
 * A modem that shows no reject cannot tell an opening from ringing in vain (modem.md, rule 4). What it is certain of, the
 * network or the modem has said in so many words.
 */
function asSensed(judged: Judgement, { alertedMs, senses }: CallTrace): Judgement {
  if (senses.rejectIsSeen || judged.confidence === 'certain') return judged
  if (alertedMs !== null && judged.opened === 'no')
    return { ...judged, confidence: 'unknown', opened: 'unknown', safeToRetry: false }
  return { ...judged, confidence: atMost('assumed', judged.confidence) }
}

/** Rows 22 and 23: what the gate itself says, or fails to say, over what the call says. */
function asConfirmed(judged: Judgement, trace: CallTrace): Judgement {
  const { confirmation, dial } = trace
  if (confirmation === null || dial === 'refused') return judged
  if (confirmation === 'certain') return { ...completed('confirmed', 'certain'), opened: 'yes' }
  // The gate's word for the call before may just have come late.
  if (confirmation === 'mayBeLate') return completed('confirmed', 'assumed')
  return judged.status === 'completed'
    ? { ...judged, confidence: atMost('assumed', judged.confidence) }
    : judged
}

function witnessesOf(facts: readonly TimedFact[]): string[] {
  const texts = facts
    .filter(({ fact }) => fact.fact !== 'emptyList')
    .map(({ fact }) => factText(fact).slice(0, 64))
  const all = [...new Set(texts)]
  // The gate's own word comes last and matters most.
  return all.length <= 16 ? all : [...all.slice(0, 15), ...all.slice(-1)]
}

const between = (fromMs: number | null, toMs: number | null) =>
  fromMs === null || toMs === null ? null : Math.max(0, Math.round(toMs - fromMs))

/** The verdict on a finished call; the same facts and profile always give the same one. */
export function callVerdict({ facts, trace }: CallRecord, profile: CallProfile): CallVerdict {
  const ofCall = asSensed(judge(trace, profile), trace)
  // On a line that loses replies, the loss of the network that ended the call may have been lost as well.
  const isDoubtful = trace.hasGap || (trace.isEndUnproven && !trace.isDisconnected)
  const isAssumed = profile.mode === 'unverified' || (isDoubtful && ofCall.opened === 'likely')
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
