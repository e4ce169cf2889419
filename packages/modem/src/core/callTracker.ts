// The call tracker: the record of what was seen of one call, with times; it only grows.

import { type CallFact, factText, type HangUpWhy, type LossWhy } from './callFacts.ts'
import type { CallToken, ModemError } from './lines.ts'

/** Which signs of a family of modems can be believed (docs/verdicts.md, What is believed of each family). */
export interface CallSenses {
  /** State 0 means that somebody answered; otherwise the modem reports it with the ringing already. */
  readonly activeIsAnswer: boolean
  /** A reject of the far end ends the call; otherwise the ringing goes on as if nothing had been rejected. */
  readonly rejectIsSeen: boolean
  /** NO CARRIER this soon after ATD's OK and without ringing before it does not end the call. Milliseconds. */
  readonly earlyEndIgnoredMs: number
}

/** What the facts add up to. Times are milliseconds since ATD was written; null where it was not seen. */
export interface CallTrace {
  readonly senses: CallSenses
  readonly dial: 'waiting' | 'accepted' | 'refused' | 'unanswered' | 'unsent'
  readonly refusal: ModemError | null
  readonly acceptedMs: number | null
  readonly diallingMs: number | null
  readonly alertedMs: number | null
  /** Somebody or something answered. */
  readonly activeMs: number | null
  /** The modem called the call active, whether that means an answer or not. */
  readonly isSaidActive: boolean
  /** The first sign that the call had ended; null again where a later sign shows that the call goes on. */
  readonly endMs: number | null
  /** A token or a report showed the end; otherwise the call was only missing in lists. */
  readonly isEndSignalled: boolean
  /** +CLCC reported it. */
  readonly isDisconnected: boolean
  /** Only lists showed an end, and our hang-up ended the call after that: the lists were wrong. */
  readonly isEndOurs: boolean
  readonly endToken: CallToken | null
  /** A token that came too early to be believed. If the call turns out to have ended, the token belongs to that end. */
  readonly earlyToken: CallToken | null
  readonly cause: number | null
  /** The modem names a cause that is in no table. */
  readonly isCauseStrange: boolean
  readonly services: readonly number[]
  /** The network was lost during the call and has not come back. */
  readonly isOffNetwork: boolean
  /** The states that the modem has reported, each once. */
  readonly toldStates: readonly number[]
  /** This modem lists our call: a list showed a state that was reported before, so the line had not come unasked. */
  readonly isListed: boolean
  /** The modem reported the call after a list without it: in this call the absence from a list proves nothing. */
  readonly isListWrong: boolean
  /** The call was missing in the last list. */
  readonly isAbsent: boolean
  /** Lists in a row in which the call was missing. */
  readonly emptyLists: number
  /** The modem left a question unanswered, or bytes were garbled. Until our call is listed again, missing signs prove nothing. */
  readonly isUnheard: boolean
  /** It left a question unanswered at some time in this call; a report from that time may be lost. */
  readonly hasGap: boolean
  /** Another call was on the line during ours. */
  readonly hasOtherCall: boolean
  /** No list could confirm the end that was signalled. */
  readonly isEndUnproven: boolean
  /** Our program did not run for a while, so the times of the facts may be too late. */
  readonly hasStoodStill: boolean
  readonly hangUpMs: number | null
  readonly hangUpWhy: HangUpWhy | null
  readonly lostMs: number | null
  readonly lostWhy: LossWhy | null
  readonly confirmation: 'certain' | 'mayBeLate' | 'missing' | null
}

const emptyTrace: Omit<CallTrace, 'senses'> = {
  dial: 'waiting',
  refusal: null,
  acceptedMs: null,
  diallingMs: null,
  alertedMs: null,
  activeMs: null,
  isSaidActive: false,
  endMs: null,
  isEndSignalled: false,
  isDisconnected: false,
  isEndOurs: false,
  endToken: null,
  earlyToken: null,
  cause: null,
  isCauseStrange: false,
  services: [],
  isOffNetwork: false,
  toldStates: [],
  isListed: false,
  isListWrong: false,
  isAbsent: false,
  emptyLists: 0,
  isUnheard: false,
  hasGap: false,
  hasOtherCall: false,
  isEndUnproven: false,
  hasStoodStill: false,
  hangUpMs: null,
  hangUpWhy: null,
  lostMs: null,
  lostWhy: null,
  confirmation: null,
}

/** What looked like the end of our call was none: the modem reports the call again. */
function withoutEnd(trace: CallTrace): CallTrace {
  const { endMs, isEndSignalled, isDisconnected, endToken, cause, isCauseStrange, emptyLists } = emptyTrace
  return { ...trace, endMs, isEndSignalled, isDisconnected, endToken, cause, isCauseStrange, emptyLists }
}

/** Two lists in a row without the call are its end, where every unsolicited line of it was lost. */
const emptyListsThatEnd = 2

function withEnd(trace: CallTrace, atMs: number): CallTrace {
  const endToken = trace.endToken ?? (trace.alertedMs === null ? trace.earlyToken : null)
  const isEndOurs = trace.isEndOurs || (trace.hangUpWhy === 'unproven' && !trace.isEndSignalled)
  return { ...trace, endMs: trace.endMs ?? atMs, endToken, isEndSignalled: true, isEndOurs }
}

/** The modem reports the call by itself, so the call goes on, even if lists did not show it. */
function withSignOfLife(trace: CallTrace): CallTrace {
  return trace.emptyLists > 0 ? { ...trace, isListWrong: true, isListed: false } : trace
}

type StateFact = Extract<CallFact, { fact: 'state' }>

function withActive(trace: CallTrace, atMs: number): CallTrace {
  const said = { ...trace, isSaidActive: true }
  return trace.senses.activeIsAnswer
    ? { ...said, activeMs: trace.activeMs ?? atMs }
    : { ...said, alertedMs: trace.alertedMs ?? atMs }
}

function withListed(trace: CallTrace, state: number): CallTrace {
  const isShown = trace.isListed || trace.toldStates.includes(state)
  const isListed = isShown && !trace.isListWrong
  return { ...trace, isListed, isAbsent: false, emptyLists: 0, isUnheard: trace.isUnheard && !isShown }
}

function withState(trace: CallTrace, atMs: number, { state, by }: StateFact): CallTrace {
  if (state === 6) return { ...withEnd(trace, atMs), isDisconnected: true }
  // A list that was requested before the end may be older than the end.
  const { toldStates } = trace
  const told = toldStates.includes(state) ? toldStates : [...toldStates, state]
  const alive = by === 'urc' ? withoutEnd(withSignOfLife(trace)) : withListed(trace, state)
  const seen = { ...alive, toldStates: told }
  if (state === 0) return withActive(seen, atMs)
  if (state === 3) return { ...seen, alertedMs: trace.alertedMs ?? atMs }
  if (state === 2) return { ...seen, diallingMs: trace.diallingMs ?? atMs }
  return seen
}

function withToken(trace: CallTrace, atMs: number, token: CallToken): CallTrace {
  const { acceptedMs, alertedMs, endMs, senses } = trace
  const isTooEarly =
    token === 'NO CARRIER' &&
    endMs === null &&
    alertedMs === null &&
    acceptedMs !== null &&
    atMs - acceptedMs < senses.earlyEndIgnoredMs
  return isTooEarly
    ? { ...trace, earlyToken: token }
    : { ...withEnd(trace, atMs), endToken: trace.endToken ?? token }
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
      return withState(trace, atMs, fact)
    case 'moRing':
      return { ...withSignOfLife(trace), alertedMs: trace.alertedMs ?? atMs }
    case 'connected':
      return withActive(withSignOfLife(trace), atMs)
    case 'token':
      return withToken(trace, atMs, fact.token)
    case 'released':
      // It does not say which call. Before ATD's OK it belongs to an earlier one.
      return trace.dial === 'waiting' ? trace : withEnd(trace, atMs)
    case 'service':
      return trace.services.includes(fact.code)
        ? trace
        : { ...trace, services: [...trace.services, fact.code] }
    case 'registration':
      return { ...trace, isOffNetwork: !fact.isRegistered }
    case 'voltage':
      return trace
    case 'emptyList': {
      // Where no list ever showed our call, a list without it says nothing.
      if (!trace.isListed) return { ...trace, isAbsent: true }
      const emptyLists = trace.emptyLists + 1
      const ended = emptyLists >= emptyListsThatEnd
      return { ...trace, isAbsent: true, emptyLists, endMs: trace.endMs ?? (ended ? atMs : null) }
    }
    case 'endDenied':
      return withoutEnd(trace)
    case 'endUnproven':
      return { ...trace, isEndUnproven: true }
    case 'otherCall':
      return { ...trace, hasOtherCall: true }
    case 'unheard':
      return { ...trace, isUnheard: true, hasGap: true }
    case 'garbled':
      return { ...trace, isUnheard: true }
    case 'stoodStill':
      return { ...trace, hasStoodStill: true }
    case 'hangUp':
      return trace.hangUpMs === null ? { ...trace, hangUpMs: atMs, hangUpWhy: fact.why } : trace
    case 'cause':
      return { ...trace, cause: fact.cause }
    case 'strangeCause':
      return { ...trace, isCauseStrange: true }
    case 'lost':
      return trace.lostMs === null ? { ...trace, lostMs: atMs, lostWhy: fact.why } : trace
    case 'confirmed':
      return { ...trace, confirmation: fact.mayBeLate ? 'mayBeLate' : 'certain' }
    case 'unconfirmed':
      return { ...trace, confirmation: trace.confirmation ?? 'missing' }
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

/** The record of a call on a modem of these senses, before anything was seen. */
export function emptyRecord(senses: CallSenses): CallRecord {
  return { facts: [], trace: { ...emptyTrace, senses } }
}

/** Repeated facts are listed up to this length, new ones up to `maxNoted`, and the few of our own up to `maxFacts`. */
const maxRepeated = 64
const maxNoted = 120
const maxFacts = 128

const ourOwn: ReadonlySet<CallFact['fact']> = new Set([
  ...(['hangUp', 'cause', 'strangeCause', 'lost', 'confirmed', 'unconfirmed'] as const),
])

const isPolled = (fact: CallFact) =>
  fact.fact === 'emptyList' || (fact.fact === 'state' && fact.by === 'poll')

function isWorthNoting(facts: readonly TimedFact[], fact: CallFact): boolean {
  const text = factText(fact)
  const isKnown = () => facts.some(known => factText(known.fact) === text)
  if (ourOwn.has(fact.fact)) return facts.length < maxFacts && !isKnown()
  if (facts.length >= maxNoted) return false
  if (isPolled(fact)) {
    const last = facts.findLast(known => isPolled(known.fact))
    return !last || factText(last.fact) !== text
  }
  return facts.length < maxRepeated || !isKnown()
}

/** The record with one more fact. The trace takes every fact; the list has a limit and skips repeated polls. */
export function recordFact({ facts, trace }: CallRecord, atMs: number, fact: CallFact): CallRecord {
  return {
    trace: withFact(trace, atMs, fact),
    facts: isWorthNoting(facts, fact) ? [...facts, { atMs, fact }] : facts,
  }
}
