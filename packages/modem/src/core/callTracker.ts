// The call tracker: what was seen of one call, with its times, and what is to be done next.

import type { CallProfile } from '../callProfile.ts'
import type { CallToken, ModemError } from './lines.ts'

/** One observation of a call. A `state` is that of AT+CLCC: 0 active, 2 dialling, 3 alerting, 6 disconnected. */
export type CallFact =
  | { readonly fact: 'accepted' }
  | { readonly fact: 'refused'; readonly error: ModemError }
  /** No final result to ATD in time. */
  | { readonly fact: 'unanswered' }
  /** ATD was written in part or not at all, or a part of it may still have been sent. */
  | { readonly fact: 'unsent' }
  | { readonly fact: 'state'; readonly state: number; readonly by: 'urc' | 'poll' }
  | { readonly fact: 'moRing' }
  | { readonly fact: 'moConnected' }
  | { readonly fact: 'token'; readonly token: CallToken }
  /** +CDRIND: 0. */
  | { readonly fact: 'released' }
  /** +CSSI: 2 forwarded, 3 waiting, 5 barred. */
  | { readonly fact: 'service'; readonly code: number }
  | { readonly fact: 'emptyList' }
  /** A list that the modem was asked for and did not give. */
  | { readonly fact: 'unheard' }
  | { readonly fact: 'hangUp'; readonly why: HangUpWhy }
  | { readonly fact: 'cause'; readonly cause: number }
  | { readonly fact: 'lost'; readonly why: string }

export type HangUpWhy =
  | 'unanswered'
  | 'setupTimeout'
  | 'rangLongEnough'
  | 'answered'
  | 'talkedLongEnough'
  | 'callLimit'
  | 'cancelled'

/** What the facts add up to. Times are milliseconds since ATD was written; null where it was not seen. */
export interface CallTrace {
  readonly dial: 'waiting' | 'accepted' | 'refused' | 'unanswered' | 'unsent'
  readonly refusal: ModemError | null
  readonly acceptedMs: number | null
  readonly diallingMs: number | null
  readonly alertedMs: number | null
  readonly activeMs: number | null
  /** The first sign that the call had ended; set once. */
  readonly endMs: number | null
  /** Something said so, rather than the call being missing in lists. */
  readonly isEndSignalled: boolean
  /** +CLCC has said so. */
  readonly isDisconnected: boolean
  readonly endToken: CallToken | null
  readonly cause: number | null
  readonly services: readonly number[]
  /** Lists in a row in which the call was missing. */
  readonly emptyLists: number
  /** The modem left a list unanswered: from then on, that nothing is seen says nothing. */
  readonly isUnheard: boolean
  readonly hangUpMs: number | null
  readonly hangUpWhy: HangUpWhy | null
  readonly lostMs: number | null
}

const emptyTrace: CallTrace = {
  dial: 'waiting',
  refusal: null,
  acceptedMs: null,
  diallingMs: null,
  alertedMs: null,
  activeMs: null,
  endMs: null,
  isEndSignalled: false,
  isDisconnected: false,
  endToken: null,
  cause: null,
  services: [],
  emptyLists: 0,
  isUnheard: false,
  hangUpMs: null,
  hangUpWhy: null,
  lostMs: null,
}

/** Two lists in a row without the call are its end, where every unsolicited line of it was lost. */
const emptyListsThatEnd = 2

function withEnd(trace: CallTrace, atMs: number): CallTrace {
  return { ...trace, endMs: trace.endMs ?? atMs, isEndSignalled: true }
}

function withState(trace: CallTrace, atMs: number, state: number): CallTrace {
  if (state === 6) return { ...withEnd(trace, atMs), isDisconnected: true }
  const seen = { ...trace, emptyLists: 0 }
  if (state === 0) return { ...seen, activeMs: trace.activeMs ?? atMs }
  if (state === 3) return { ...seen, alertedMs: trace.alertedMs ?? atMs }
  if (state === 2) return { ...seen, diallingMs: trace.diallingMs ?? atMs }
  return seen
}

/** The trace with one more fact. */
function withFact(trace: CallTrace, atMs: number, fact: CallFact): CallTrace {
  switch (fact.fact) {
    case 'accepted':
      return { ...trace, dial: 'accepted', acceptedMs: atMs }
    case 'refused':
      return { ...trace, dial: 'refused', refusal: fact.error }
    case 'unanswered':
    case 'unsent':
      return { ...trace, dial: fact.fact }
    case 'state':
      return withState(trace, atMs, fact.state)
    case 'moRing':
      return { ...trace, alertedMs: trace.alertedMs ?? atMs }
    case 'moConnected':
      return { ...trace, activeMs: trace.activeMs ?? atMs }
    case 'token':
      return { ...withEnd(trace, atMs), endToken: trace.endToken ?? fact.token }
    case 'released':
      return withEnd(trace, atMs)
    case 'service':
      return trace.services.includes(fact.code)
        ? trace
        : { ...trace, services: [...trace.services, fact.code] }
    case 'emptyList': {
      const emptyLists = trace.emptyLists + 1
      const ended = emptyLists >= emptyListsThatEnd
      return { ...trace, emptyLists, endMs: trace.endMs ?? (ended ? atMs : null) }
    }
    case 'unheard':
      return { ...trace, isUnheard: true }
    case 'hangUp':
      return trace.hangUpMs === null ? { ...trace, hangUpMs: atMs, hangUpWhy: fact.why } : trace
    case 'cause':
      return { ...trace, cause: fact.cause }
    case 'lost':
      return { ...trace, lostMs: trace.lostMs ?? atMs }
  }
}

/** A fact in a few words, for evidence and witnesses. */
export function factText(fact: CallFact): string {
  switch (fact.fact) {
    case 'accepted':
      return 'OK'
    case 'refused':
      return fact.error.text
    case 'unanswered':
      return 'no result to ATD'
    case 'unsent':
      return 'ATD not written whole'
    case 'state':
      return fact.by === 'poll' ? `CLCC ${fact.state} listed` : `CLCC ${fact.state}`
    case 'moRing':
      return 'MO RING'
    case 'moConnected':
      return 'MO CONNECTED'
    case 'token':
      return fact.token
    case 'released':
      return 'CDRIND 0'
    case 'service':
      return `CSSI ${fact.code}`
    case 'emptyList':
      return 'CLCC empty'
    case 'unheard':
      return 'no answer to CLCC'
    case 'hangUp':
      return `ATH, ${fact.why}`
    case 'cause':
      return `CEER ${fact.cause}`
    case 'lost':
      return `modem lost, ${fact.why}`
  }
}

export interface TimedFact {
  readonly atMs: number
  readonly fact: CallFact
}

export interface CallRecord {
  readonly facts: readonly TimedFact[]
  readonly trace: CallTrace
}

export const emptyRecord: CallRecord = { facts: [], trace: emptyTrace }

/** Repeated facts are noted up to here, new ones up to `maxNoted`; our own few always. */
const maxRepeated = 64
const maxNoted = 120

const isPolled = (fact: CallFact) =>
  fact.fact === 'emptyList' || (fact.fact === 'state' && fact.by === 'poll')

function isWorthNoting(facts: readonly TimedFact[], fact: CallFact): boolean {
  if (fact.fact === 'hangUp' || fact.fact === 'cause' || fact.fact === 'lost') return true
  if (facts.length >= maxNoted) return false
  const text = factText(fact)
  if (isPolled(fact)) {
    const last = facts.findLast(known => isPolled(known.fact))
    return !last || factText(last.fact) !== text
  }
  return facts.length < maxRepeated || !facts.some(known => factText(known.fact) === text)
}

/** The record with one more fact. The trace takes every fact; the list is bounded and leaves out repeated polls. */
export function recordFact({ facts, trace }: CallRecord, atMs: number, fact: CallFact): CallRecord {
  return {
    trace: withFact(trace, atMs, fact),
    facts: isWorthNoting(facts, fact) ? [...facts, { atMs, fact }] : facts,
  }
}

/** ATH is due by then, so that a call with a poll before it still lasts at most 60 s. */
const callLimitMs = 57_000
/**
 * From the first sign of the end: its signs come in any order (modem.md, section 1.5). Once both that the verdict
 * weighs are there, the token and the disconnection, nothing is left to wait for.
 */
const endWindowMs = 800
/** Mode answer_release: how long the gate may take to drop the call that it answered. */
const releaseWithinMs = 15_000

export type CallStep =
  | { readonly step: 'wait'; readonly untilMs: number }
  | { readonly step: 'poll' }
  | { readonly step: 'hangUp'; readonly why: HangUpWhy }
  /** Nothing more is to come: see that the line is free, and judge. */
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
 * What to do at `nowMs` (since ATD was written). `polledMs` is when the list of calls was last asked for or could
 * first be; `pollMs` is null where polling hides the signs of a call.
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
    const isComplete = trace.endToken !== null && trace.isDisconnected
    return nowMs < untilMs && !isComplete ? { step: 'wait', untilMs } : { step: 'conclude' }
  }
  const due = hangUpDue(trace, profile)
  if (nowMs >= due.atMs) return { step: 'hangUp', why: due.why }
  // No byte may be written before ATD's OK (SIM800 AT manual V1.09 2.2.3).
  if (poll.pollMs === null || trace.acceptedMs === null) return { step: 'wait', untilMs: due.atMs }
  const pollAtMs = Math.max(poll.polledMs, trace.acceptedMs) + poll.pollMs
  return nowMs >= pollAtMs ? { step: 'poll' } : { step: 'wait', untilMs: Math.min(due.atMs, pollAtMs) }
}
