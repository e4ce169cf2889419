// The verdict by its table (modem.md, section 3.3), row by row and mode by mode.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CallMode, CallProfile } from '../callProfile.ts'
import { learnedProfile } from '../scriptedModem.kit.ts'
import { type CallFact, emptyRecord, factText, recordFact } from './callTracker.ts'
import { callVerdict } from './callVerdict.ts'

const learned: CallProfile = { ...learnedProfile, reactMinMs: 1_000 }

type Timed = readonly [number, CallFact]

const ok: Timed = [200, { fact: 'accepted' }]
const state = (atMs: number, number: number): Timed => [atMs, { fact: 'state', state: number, by: 'urc' }]
const token = (atMs: number, text: 'BUSY' | 'NO CARRIER' | 'NO ANSWER' | 'NO DIALTONE'): Timed => [
  atMs,
  { fact: 'token', token: text },
]
const cause = (atMs: number, number: number): Timed => [atMs, { fact: 'cause', cause: number }]
const hangUp = (atMs: number, why: Extract<CallFact, { fact: 'hangUp' }>['why']): Timed => [
  atMs,
  { fact: 'hangUp', why },
]
const refused = (code: number | null): Timed => [100, { fact: 'refused', error: { code, text: 'ERROR' } }]
const lost = (atMs: number): Timed => [atMs, { fact: 'lost', why: 'restarted' }]
/** Ringing from 5 s on. */
const rang = [ok, state(300, 2), state(5_000, 3)]
const early = [ok, state(300, 2)]
const answered = [...rang, state(7_000, 0)]
const released = [...answered, token(9_000, 'NO CARRIER'), cause(9_900, 16)]

function verdictOf(facts: readonly Timed[], over: Partial<CallProfile> = {}) {
  const record = facts.reduce((known, [atMs, fact]) => recordFact(known, atMs, fact), emptyRecord)
  return callVerdict(record, { ...learned, ...over })
}

/** Row, facts, mode, and `status reason confidence opened`, with `R` where another try is safe. */
const table: readonly (readonly [string, readonly Timed[], CallMode, string])[] = [
  ['1', [refused(10)], 'reject', 'failed sim_error certain no'],
  ['1 ERROR', [refused(null)], 'answer_release', 'failed sim_error certain no'],
  ['2', [refused(30)], 'reject', 'failed no_network certain no R'],
  ['2 token', [token(100, 'NO DIALTONE')], 'reject', 'failed no_network certain no R'],
  ['3', [refused(771)], 'reject', 'failed line_in_use certain no R'],
  [
    '4',
    [[20_000, { fact: 'unanswered' }], hangUp(20_000, 'unanswered')],
    'reject',
    'failed dial_no_response unknown unknown',
  ],
  ['5', [...early, token(2_000, 'BUSY')], 'reject', 'failed busy likely no R'],
  [
    '5 cause',
    [...early, token(2_000, 'NO CARRIER'), cause(3_000, 17)],
    'answer_release',
    'failed busy likely no R',
  ],
  ['6', [...early, token(1_500, 'NO CARRIER')], 'reject', 'failed network_rejected likely no'],
  [
    '6 barred',
    [...early, [900, { fact: 'service', code: 5 }], token(9_000, 'NO CARRIER')],
    'reject',
    'failed network_rejected likely no',
  ],
  ['7', [...early, token(2_000, 'NO CARRIER'), cause(3_000, 1)], 'reject', 'failed bad_number certain no'],
  ['8', [...early, token(2_000, 'BUSY'), cause(3_000, 34)], 'reject', 'failed congestion certain no R'],
  ['9', [...early, token(9_000, 'NO CARRIER')], 'reject', 'failed unreachable likely no'],
  ['9 cause', [...early, state(2_000, 6), cause(3_000, 27)], 'reject', 'failed unreachable likely no'],
  ['10', [...early, hangUp(25_200, 'setupTimeout')], 'reject', 'timeout no_ringing likely no'],
  [
    '11 BUSY',
    [...rang, token(8_000, 'BUSY'), cause(9_000, 17)],
    'reject',
    'completed rejected_after_ring likely likely',
  ],
  [
    '11 NO CARRIER',
    [...rang, token(8_000, 'NO CARRIER'), cause(9_000, 16)],
    'reject',
    'completed rejected_after_ring likely likely',
  ],
  ['11 no token', [...rang, state(8_000, 6)], 'reject', 'completed rejected_after_ring likely likely'],
  [
    '11 unverified',
    [...rang, token(8_000, 'BUSY')],
    'unverified',
    'completed rejected_after_ring assumed likely',
  ],
  ['11 answer', [...rang, token(8_000, 'BUSY')], 'answer_release', 'failed rejected unknown unknown'],
  ['11 ring', [...rang, token(8_000, 'BUSY')], 'ring', 'failed rejected unknown unknown'],
  ['12', [...rang, token(5_400, 'BUSY')], 'reject', 'failed ended_too_early unknown unknown'],
  [
    '13 rang out',
    [...rang, token(25_000, 'NO CARRIER'), cause(26_000, 19)],
    'reject',
    'timeout rang_out likely no',
  ],
  [
    '13 late',
    [...rang, token(25_000, 'NO CARRIER'), cause(26_000, 16)],
    'reject',
    'failed late_release unknown unknown',
  ],
  [
    '13 delayed',
    [...rang, token(25_000, 'NO CARRIER')],
    'reject_delayed',
    'completed rejected_after_ring assumed likely',
  ],
  ['13 answer', [...rang, token(25_000, 'NO CARRIER')], 'answer_hold', 'timeout rang_out likely no'],
  ['13 ring', [...rang, token(17_000, 'NO CARRIER')], 'ring', 'completed rang assumed likely'],
  ['14', [...rang, hangUp(35_000, 'rangLongEnough')], 'reject', 'timeout no_reaction likely no'],
  [
    '14 unverified',
    [...rang, hangUp(35_000, 'rangLongEnough')],
    'unverified',
    'timeout no_reaction assumed no',
  ],
  ['14 answer', [...rang, hangUp(35_000, 'rangLongEnough')], 'answer_release', 'timeout no_answer likely no'],
  ['14 ring', [...rang, hangUp(17_000, 'rangLongEnough')], 'ring', 'completed rang assumed likely'],
  ['15', [...answered, hangUp(7_000, 'answered')], 'reject', 'failed answered_unexpectedly unknown unknown'],
  ['15 unverified', released, 'unverified', 'failed answered_unexpectedly unknown unknown'],
  ['16', released, 'answer_release', 'completed answered_released likely likely'],
  ['16 hold', released, 'answer_hold', 'completed answered likely likely'],
  ['16 dropped', [...answered, token(7_500, 'NO CARRIER')], 'answer_hold', 'failed dropped unknown unknown'],
  [
    '17',
    [...answered, hangUp(10_000, 'talkedLongEnough')],
    'answer_hold',
    'completed answered likely likely',
  ],
  [
    '17 release',
    [...answered, hangUp(22_000, 'talkedLongEnough')],
    'answer_release',
    'completed answered assumed likely',
  ],
  [
    '17 forwarded',
    [...rang, [6_000, { fact: 'service', code: 2 }], ...released.slice(3)],
    'answer_release',
    'failed voicemail_suspected unknown unknown',
  ],
  [
    '17 late',
    [...rang, state(21_000, 0), hangUp(24_000, 'talkedLongEnough')],
    'answer_hold',
    'failed voicemail_suspected unknown unknown',
  ],
  ['18', [...early, hangUp(2_000, 'cancelled')], 'reject', 'failed cancelled likely no'],
  ['18 ringing', [...rang, hangUp(6_000, 'cancelled')], 'reject', 'failed cancelled unknown unknown'],
  ['19', [lost(150)], 'reject', 'failed modem_lost likely no R'],
  ['20', [...early, lost(900)], 'reject', 'failed modem_lost unknown unknown'],
  ['21', [...rang, lost(6_000)], 'reject', 'failed modem_lost_after_ring unknown unknown'],
  ['not written whole', [[0, { fact: 'unsent' }]], 'reject', 'failed outcome_unknown unknown unknown'],
]

describe('the verdict', () => {
  it.each(table)('row %s', (_row, facts, mode, expected) => {
    const { status, reason, confidence, opened, safeToRetry } = verdictOf(facts, { mode })
    expect([status, reason, confidence, opened, ...(safeToRetry ? ['R'] : [])].join(' ')).toBe(expected)
  })

  it('says likely only where the profile was learned and tells opening from not opening', () => {
    const facts = [...rang, token(8_000, 'BUSY')]
    expect(verdictOf(facts, { learned: false }).confidence).toBe('assumed')
    expect(verdictOf(facts, { discriminating: false }).confidence).toBe('assumed')
    expect(verdictOf(released, { mode: 'answer_release', reactMaxMs: 3_000 }).confidence).toBe('assumed')
  })

  it('measures from dialling where the route never tells of ringing', () => {
    const facts = [...early, token(6_000, 'BUSY')]
    expect(verdictOf(facts, { silentAlerting: true }).reason).toBe('rejected_after_ring')
    expect(verdictOf(facts).reason).toBe('busy')
  })

  const anyFact: fc.Arbitrary<CallFact> = fc.oneof(
    fc.constantFrom<CallFact>(
      { fact: 'accepted' },
      { fact: 'unanswered' },
      { fact: 'moRing' },
      { fact: 'moConnected' },
      { fact: 'released' },
      { fact: 'emptyList' },
      { fact: 'token', token: 'BUSY' },
      { fact: 'token', token: 'NO CARRIER' },
      { fact: 'hangUp', why: 'rangLongEnough' },
      { fact: 'lost', why: 'port' },
    ),
    fc.record({
      fact: fc.constant('state' as const),
      state: fc.integer({ min: 0, max: 9 }),
      by: fc.constantFrom('urc' as const, 'poll' as const),
    }),
    fc.record({ fact: fc.constant('service' as const), code: fc.integer({ min: 0, max: 99 }) }),
    fc.record({ fact: fc.constant('cause' as const), cause: fc.integer({ min: 0, max: 127 }) }),
  )

  it('completes nothing without ringing, an answer or dialling seen, and stays within the bounds of evidence', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 60_000 }), anyFact), { maxLength: 400 }),
        fc.constantFrom<CallMode>(
          'reject',
          'reject_delayed',
          'answer_release',
          'answer_hold',
          'ring',
          'unverified',
        ),
        (unordered, mode) => {
          const facts = unordered.toSorted(([a], [b]) => a - b)
          const verdict = verdictOf(facts, { mode })
          const texts = facts.map(([, fact]) => factText(fact))
          const rangOrAnswered = texts.some(text => /^(CLCC [03]|MO )/.test(text))
          if (verdict.status === 'completed') expect(rangOrAnswered).toBe(true)
          if (mode === 'unverified') expect(['assumed', 'unknown']).toContain(verdict.confidence)
          if (verdict.safeToRetry) expect(verdict.opened).toBe('no')
          const record = facts.reduce((known, [atMs, fact]) => recordFact(known, atMs, fact), emptyRecord)
          const noted = record.facts.filter(({ fact }) => !['hangUp', 'cause', 'lost'].includes(fact.fact))
          expect(noted.length).toBeLessThanOrEqual(120)
          expect(verdict.witnesses.length).toBeLessThanOrEqual(16)
        },
      ),
      { numRuns: 60 },
    )
  })
})
