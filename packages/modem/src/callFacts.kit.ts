// Short names for facts of a call, and their verdict in one line, for the tests of the verdict.

import type { CallMode, CallProfile } from '@callgate/contract/call/callProfile'
import type { CallFact } from './core/callFacts.ts'
import { emptyRecord, recordFact } from './core/callTracker.ts'
import { callVerdict } from './core/callVerdict.ts'
import { quirksOf } from './quirks.ts'
import { learnedProfile } from './scriptedModem.kit.ts'

const learned: CallProfile = { ...learnedProfile, reactMinMs: 1_000 }

export const modes: readonly CallMode[] = [
  'reject',
  'reject_delayed',
  'answer_release',
  'answer_hold',
  'ring',
  'unverified',
]

/** Milliseconds since ATD, and what was seen. */
export type Timed = readonly [number, CallFact]

export const ok: Timed = [200, { fact: 'accepted' }]
export const state = (atMs: number, number: number): Timed => [
  atMs,
  { fact: 'state', state: number, by: 'urc' },
]
export const token = (atMs: number, text: 'BUSY' | 'NO CARRIER' | 'NO ANSWER' | 'NO DIALTONE'): Timed => [
  atMs,
  { fact: 'token', token: text },
]
export const cause = (atMs: number, number: number): Timed => [atMs, { fact: 'cause', cause: number }]
export const hangUp = (atMs: number, why: Extract<CallFact, { fact: 'hangUp' }>['why']): Timed => [
  atMs,
  { fact: 'hangUp', why },
]
export const refused = (code: number | null): Timed => [
  100,
  { fact: 'refused', error: { code, text: 'ERROR' } },
]
export const lost = (atMs: number, why: Extract<CallFact, { fact: 'lost' }>['why'] = 'restarted'): Timed => [
  atMs,
  { fact: 'lost', why },
]
export const off: CallFact = { fact: 'registration', isRegistered: false }
export const confirmed = (mayBeLate = false): Timed => [40_000, { fact: 'confirmed', by: 'sms', mayBeLate }]
export const unconfirmed: Timed = [40_000, { fact: 'unconfirmed' }]
/** Ringing from 5 s on. */
export const rang = [ok, state(300, 2), state(5_000, 3)]
export const early = [ok, state(300, 2)]
export const answered = [...rang, state(7_000, 0)]
export const released = [...answered, token(9_000, 'NO CARRIER'), cause(9_900, 16)]

export function recordOf(facts: readonly Timed[], model = 'SIM800L') {
  const before = emptyRecord(quirksOf(model).senses)
  return facts.reduce((known, [atMs, fact]) => recordFact(known, atMs, fact), before)
}

export function verdictOf(facts: readonly Timed[], over: Partial<CallProfile> = {}, model = 'SIM800L') {
  return callVerdict(recordOf(facts, model), { ...learned, ...over })
}

/** `status reason confidence opened`, with `R` where a retry is safe. */
export function inWords(facts: readonly Timed[], over: Partial<CallProfile>, model?: string): string {
  const { status, reason, confidence, opened, safeToRetry } = verdictOf(facts, over, model)
  return [status, reason, confidence, opened, ...(safeToRetry ? ['R'] : [])].join(' ')
}
