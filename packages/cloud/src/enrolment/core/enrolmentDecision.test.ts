import { expect, it } from 'vitest'
import {
  confirmFault,
  decideAsking,
  decideCode,
  type EnrolmentFacts,
  enrolmentState,
  loginWithinMs,
  mostWrongTries,
} from './enrolmentDecision.ts'

const nowMs = Date.parse('2026-06-01T12:00:00.000Z')
const at = (ms: number) => new Date(nowMs + ms).toISOString()
const waiting: EnrolmentFacts = {
  wrongTries: 0,
  expiresAt: at(1),
  publicKey: null,
  commitment: null,
  fingerprint: null,
  endedAt: null,
  endedAs: null,
  storedAt: null,
}
const own = { publicKey: 'own', commitment: 'bound' }
const pending = { ...waiting, ...own, fingerprint: '123456' }
const refused = { endedAs: 'refused', endedAt: at(-1) } as const
const confirmed = { ...pending, endedAs: 'confirmed', endedAt: at(-1) } as const
const expired = { expiresAt: at(0) }
const spent = { ...waiting, wrongTries: mostWrongTries }

it.each<[string, EnrolmentFacts]>([
  ['waiting', waiting],
  ['expired', { ...waiting, ...expired }],
  ['spent', spent],
  ['pending', pending],
  ['pending', { ...pending, wrongTries: mostWrongTries }],
  ['expired', { ...pending, ...expired }],
  ['refused', { ...pending, ...expired, ...refused }],
  ['confirmed', { ...confirmed, ...expired }],
])('is %s', (state, facts) => {
  expect(enrolmentState(facts, nowMs)).toBe(state)
})

const right = { isRight: true, ...own }
const refuse = (reason: string) => ({ kind: 'refuse', reason })

it.each<[string, EnrolmentFacts, object]>([
  ['waits', waiting, { kind: 'take' }],
  ['waits at its last try', { ...waiting, wrongTries: mostWrongTries - 1 }, { kind: 'take' }],
  ['is too old', { ...waiting, ...expired }, refuse('code_expired')],
  ['was sent wrong five times', spent, refuse('code_spent')],
  ['was taken back', { ...waiting, ...refused }, refuse('code_cancelled')],
  ['was taken by this gateway', pending, { kind: 'again' }],
  ['was taken by this gateway, which was refused', { ...pending, ...refused }, { kind: 'again' }],
  ['was taken by another key', { ...pending, publicKey: 'other' }, refuse('code_used')],
  ['was taken with another nonce', { ...pending, commitment: 'other' }, refuse('code_used')],
  ['was taken by another key and confirmed', { ...confirmed, publicKey: 'other' }, refuse('code_used')],
])('accepts a right code, or says why not, where it %s; a wrong one is only wrong', (_, facts, decision) => {
  expect(decideCode(facts, right, nowMs)).toEqual(decision)
  expect(decideCode(facts, { ...right, isRight: false }, nowMs)).toMatchObject({ kind: 'wrong' })
})

it('counts a wrong code only while the right one is accepted', () => {
  const counts = (facts: EnrolmentFacts) => decideCode(facts, { ...right, isRight: false }, nowMs)
  expect(counts(waiting)).toEqual({ kind: 'wrong', counts: true })
  for (const facts of [spent, pending, confirmed, { ...waiting, ...expired }])
    expect(counts(facts)).toEqual({ kind: 'wrong', counts: false })
})

it.each<[string, EnrolmentFacts, object, boolean?]>([
  ['waits', pending, { kind: 'wait' }],
  ['is confirmed', confirmed, { kind: 'hand_out' }],
  ['was revoked since', confirmed, refuse('not_confirmed'), true],
  ['has it already', { ...confirmed, storedAt: at(-1) }, refuse('handed_out')],
  ['asks too late for it', { ...confirmed, endedAt: at(-loginWithinMs) }, refuse('too_late')],
  ['is refused', { ...pending, ...refused }, refuse('not_confirmed')],
  ['was not confirmed in time', { ...pending, ...expired }, refuse('too_late')],
])('answers a gateway that %s', (_, facts, decision, isRevoked = false) => {
  expect(decideAsking(facts, isRevoked, nowMs)).toEqual(decision)
})

it('is confirmed only while it is pending, by its own fingerprint', () => {
  expect(confirmFault(pending, '123456', nowMs)).toBeUndefined()
  expect(confirmFault(pending, '123457', nowMs)).toBe('other_fingerprint')
  for (const facts of [waiting, { ...pending, fingerprint: null }, { ...pending, ...expired }, confirmed])
    expect(confirmFault(facts, '123456', nowMs)).toBe('not_pending')
})
