// Signs of a call: what a gateway's report shows of how a gate's module took it.

import type { CallEnd } from '@callgate/contract/call/calibrationWords'
import type { CallProfile } from '@callgate/contract/call/callProfile'
import type { Evidence, Verdict } from '@callgate/contract/call/verdict'

/** Times are milliseconds. */
export interface CallSigns {
  readonly end: CallEnd
  /** From ATD to ringing or an answer; null where neither came. */
  readonly setupMs: number | null
  /** Ringing before the end or the answer; null where no ringing was reported. */
  readonly ringMs: number | null
  /** From the answer to the end; null without an answer. */
  readonly talkMs: number | null
  /** From the ringing to the end; from the dialling where no ringing was reported; null where neither is known. */
  readonly tookMs: number | null
  /** The network says by the token NO ANSWER that nobody took the call, and no cause contradicts it. */
  readonly isNoAnswer: boolean
  /** The cause is one that a rejecting module gives, or there is no cause. */
  readonly isRejectCause: boolean
  /** The network says by token or cause that nobody took the call. */
  readonly isSaidUntaken: boolean
  /** The call was forwarded to another number, such as a voicemail. */
  readonly isForwarded: boolean
  /** The far end was in another call. */
  readonly isWaiting: boolean
}

/** The causes that a rejecting module gives, and those by which the network says that nobody took the call (TS 24.008). */
const rejectCauses: readonly number[] = [16, 17, 21, 31]
const untakenCauses: readonly number[] = [18, 19, 102]

/** Words of the evidence that make a call unclear. */
const unclearSigns =
  /^(modem lost|stood still|no answer to (CLCC|CBC)|unreadable|another call|no result to ATD|ATD not written|registration lost|not ended|ATH, (unanswered|cancelled))/
/** A module does not answer sooner: it waits for the caller's number, which comes with the first ring. */
const soonestAnswerMs = 700
const remoteEnd = /^(BUSY|NO CARRIER|NO ANSWER|CLCC 6|CDRIND|\+CDRIND|VOICE CALL: ?END)/
const saidActive = /^(CLCC 0|MO CONNECTED|VOICE CALL: ?BEGIN|CONNECT)/

function endOf(verdict: Verdict, events: readonly string[], isSaidUntaken: boolean): CallEnd {
  const { endToken, ringMs, talkMs } = verdict
  const hasGap = events.some(event => unclearSigns.test(event)) || endToken === 'NO DIALTONE'
  if (hasGap || verdict.confidence === 'certain' || verdict.reason === 'outcome_unknown')
    return verdict.reason === 'confirmed' && !hasGap ? plainEnd(verdict, events, isSaidUntaken) : 'unclear'
  const isSaidActive = events.some(event => saidActive.test(event))
  if (ringMs !== null && isSaidActive && (talkMs === null || ringMs < soonestAnswerMs)) return 'blind'
  const end = plainEnd(verdict, events, isSaidUntaken)
  // On a modem that reports rejects, the verdict of such a call is that nothing opened.
  return end === 'rang' && verdict.opened !== 'no' ? 'blind' : end
}

/** The end of a call that has all its signs. */
function plainEnd(
  { cause, endToken, ringMs, talkMs }: Verdict,
  events: readonly string[],
  isSaidUntaken: boolean,
): CallEnd {
  const hangUp = events.findIndex(event => /^ATH, (?!unproven)/.test(event))
  const end = events.findIndex(event => remoteEnd.test(event))
  if (hangUp >= 0 && (end < 0 || hangUp < end)) {
    if (events[hangUp] === 'ATH, setupTimeout') return 'no_ringing'
    if (talkMs !== null) return events[hangUp] === 'ATH, answered' ? 'unclear' : 'answered_held'
    return ringMs === null ? 'no_ringing' : 'rang'
  }
  if (end < 0) return 'unclear'
  if (talkMs !== null) return 'answered_released'
  if (isSaidUntaken) return 'untaken'
  // Another program on the modem may have hung up.
  if (endToken === null && cause === 16) return 'unclear'
  return ringMs === null ? 'ended_unrung' : 'rejected'
}

/** Reads the signs of a call from its report. */
export function callSigns(verdict: Verdict, evidence: Evidence): CallSigns {
  const { cause, endToken, ringMs, setupMs, talkMs } = verdict
  const events = evidence.events.map(({ event }) => event)
  const isUntakenCause = cause !== null && untakenCauses.includes(cause)
  const isSaidUntaken = endToken === 'NO ANSWER' || isUntakenCause
  const at = (sign: RegExp) => evidence.events.find(({ event }) => sign.test(event))?.atMs
  const dialledMs = at(/^CLCC 2/)
  const endedMs = at(remoteEnd)
  const sinceDialMs = dialledMs !== undefined && endedMs !== undefined ? endedMs - dialledMs : null
  return {
    end: endOf(verdict, events, isSaidUntaken),
    setupMs,
    ringMs,
    talkMs,
    tookMs: ringMs === null ? sinceDialMs : ringMs + (talkMs ?? 0),
    isNoAnswer: endToken === 'NO ANSWER',
    isRejectCause: cause === null || rejectCauses.includes(cause),
    isSaidUntaken,
    isForwarded: events.includes('CSSI 2'),
    isWaiting: events.includes('CSSI 3'),
  }
}

/** Whether a time is within the window of a profile. */
const isInside = (tookMs: number | null, { reactMaxMs, reactMinMs }: CallProfile) =>
  tookMs !== null && tookMs >= reactMinMs && tookMs <= reactMaxMs

function readsAnswered(signs: CallSigns, profile: CallProfile): boolean {
  const { end, isForwarded, isSaidUntaken, ringMs, talkMs } = signs
  if (profile.mode !== 'answer_release' && profile.mode !== 'answer_hold')
    return profile.rejectDiverts && profile.mode !== 'ring' && !isSaidUntaken
  const isLate = profile.answerNotAfterMs !== null && (ringMs ?? 0) > profile.answerNotAfterMs
  if (isLate || isForwarded || isSaidUntaken || ringMs === null) return false
  return profile.mode === 'answer_release' || end === 'answered_held' || (talkMs ?? 0) >= 1_000
}

/**
 * Whether a call with these signs is read as one that opened the gate, under `profile`. This is stricter than the verdict of the
 * gateway, and a test compares the two. An uncertain profile is not proposed.
 */
export function readsAsOpened(signs: CallSigns, profile: CallProfile): boolean {
  const { end, isForwarded, isNoAnswer, isRejectCause, isWaiting, ringMs, tookMs } = signs
  switch (end) {
    case 'rang':
      return profile.mode === 'ring' && !isForwarded && !isWaiting
    case 'answered_released':
    case 'answered_held':
      return readsAnswered(signs, profile)
    case 'rejected':
    case 'untaken':
    case 'ended_unrung': {
      if (isForwarded || isWaiting || (ringMs === null && !profile.silentAlerting)) return false
      if (profile.mode === 'ring') return ringMs !== null && ringMs >= profile.ringHangupMs
      if (profile.mode !== 'reject' && profile.mode !== 'reject_delayed') return false
      if (!isInside(tookMs, profile)) return false
      if (isNoAnswer) return profile.noAnswerOpens === true
      return isRejectCause
    }
    default:
      return false
  }
}
