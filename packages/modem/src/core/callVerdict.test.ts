// The verdict by its table (modem.md, section 3.3), row by row and mode by mode.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CallMode, CallProfile } from '../callProfile.ts'
import { quirksOf } from '../quirks.ts'
import { learnedProfile } from '../scriptedModem.kit.ts'
import { type CallFact, factText } from './callFacts.ts'
import { emptyRecord, recordFact } from './callTracker.ts'
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
const lost = (atMs: number, why: Extract<CallFact, { fact: 'lost' }>['why'] = 'restarted'): Timed => [
  atMs,
  { fact: 'lost', why },
]
const off: CallFact = { fact: 'registration', isRegistered: false }
const confirmed = (mayBeLate = false): Timed => [40_000, { fact: 'confirmed', by: 'sms', mayBeLate }]
const unconfirmed: Timed = [40_000, { fact: 'unconfirmed' }]
/** Ringing from 5 s on. */
const rang = [ok, state(300, 2), state(5_000, 3)]
const early = [ok, state(300, 2)]
const answered = [...rang, state(7_000, 0)]
const released = [...answered, token(9_000, 'NO CARRIER'), cause(9_900, 16)]

function recordOf(facts: readonly Timed[], model = 'SIM800L') {
  const before = emptyRecord(quirksOf(model).senses)
  return facts.reduce((known, [atMs, fact]) => recordFact(known, atMs, fact), before)
}

function verdictOf(facts: readonly Timed[], over: Partial<CallProfile> = {}, model = 'SIM800L') {
  return callVerdict(recordOf(facts, model), { ...learned, ...over })
}

function inWords(facts: readonly Timed[], over: Partial<CallProfile>, model?: string): string {
  const { status, reason, confidence, opened, safeToRetry } = verdictOf(facts, over, model)
  return [status, reason, confidence, opened, ...(safeToRetry ? ['R'] : [])].join(' ')
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
  [
    '14 ring, call waiting',
    [...rang, [5_200, { fact: 'service', code: 3 }], hangUp(17_000, 'rangLongEnough')],
    'ring',
    'failed busy unknown unknown',
  ],
  ['15', [...answered, hangUp(7_000, 'answered')], 'reject', 'failed answered_unexpectedly unknown unknown'],
  ['15 unverified', released, 'unverified', 'failed answered_unexpectedly unknown unknown'],
  ['16', released, 'answer_release', 'completed answered_released likely likely'],
  ['16 hold', released, 'answer_hold', 'completed answered likely likely'],
  ['16 dropped', [...answered, token(7_500, 'NO CARRIER')], 'answer_hold', 'failed dropped unknown unknown'],
  [
    '16 an announcement',
    [...early, state(4_000, 0), token(10_000, 'NO CARRIER'), cause(10_900, 16)],
    'answer_release',
    'failed answered_unexpectedly unknown unknown',
  ],
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
  ['19 late', [lost(4_500)], 'reject', 'failed modem_lost unknown unknown'],
  ['19 port', [lost(150, 'port')], 'reject', 'failed modem_lost unknown unknown'],
  ['20', [...early, lost(900)], 'reject', 'failed modem_lost unknown unknown'],
  ['21', [...rang, lost(6_000)], 'reject', 'failed modem_lost_after_ring unknown unknown'],
  [
    '21 unseen',
    [...rang, state(8_000, 6), lost(9_000, 'settingsGone')],
    'reject',
    'failed modem_lost_after_ring unknown unknown',
  ],
  [
    '22',
    [...rang, hangUp(35_000, 'rangLongEnough'), confirmed()],
    'reject',
    'completed confirmed certain yes',
  ],
  [
    '22 unverified',
    [...answered, hangUp(7_000, 'answered'), confirmed()],
    'unverified',
    'completed confirmed certain yes',
  ],
  [
    '22 of the call before',
    [...rang, token(8_000, 'BUSY'), confirmed(true)],
    'reject',
    'completed confirmed assumed likely',
  ],
  ['22 not dialled', [refused(30), confirmed()], 'reject', 'failed no_network certain no R'],
  [
    '23',
    [...rang, token(8_000, 'BUSY'), unconfirmed],
    'reject',
    'completed rejected_after_ring assumed likely',
  ],
  [
    '23 no reaction',
    [...rang, hangUp(35_000, 'rangLongEnough'), unconfirmed],
    'reject',
    'timeout no_reaction likely no',
  ],
  [
    'network lost',
    [...rang, token(8_000, 'NO CARRIER'), [8_100, off]],
    'reject',
    'failed outcome_unknown unknown unknown',
  ],
  [
    'network back',
    [...rang, [6_000, off], [7_000, { fact: 'registration', isRegistered: true }], token(8_000, 'BUSY')],
    'reject',
    'completed rejected_after_ring likely likely',
  ],
  ['not written whole', [[0, { fact: 'unsent' }]], 'reject', 'failed outcome_unknown unknown unknown'],
]

describe('the verdict', () => {
  it.each(table)('row %s', (_row, facts, mode, expected) => {
    expect(inWords(facts, { mode })).toBe(expected)
  })

  it('says likely only where the profile was learned and tells opening from not opening', () => {
    const facts = [...rang, token(8_000, 'BUSY')]
    expect(verdictOf(facts, { learned: false }).confidence).toBe('assumed')
    expect(verdictOf(facts, { discriminating: false }).confidence).toBe('assumed')
    expect(verdictOf(released, { mode: 'answer_release', reactMaxMs: 3_000 }).confidence).toBe('assumed')
  })

  it('calls nothing busy, and safe to try again, that could be a gate that rejects unheard', () => {
    const unlearned = { learned: false }
    const busy = (atMs: number) => [...early, token(atMs, 'BUSY'), cause(atMs + 900, 17)]
    expect(inWords(busy(2_000), unlearned)).toBe('failed busy assumed no R')
    expect(inWords(busy(6_000), unlearned)).toBe('failed busy unknown unknown')
    // Ringing is reported on this route, and it did not ring; still, another call now is another's decision.
    expect(inWords(busy(6_000), {})).toBe('failed busy likely no')
    expect(inWords([...early, token(6_000, 'NO CARRIER'), cause(7_000, 21)], unlearned)).toBe(
      'failed unreachable unknown unknown',
    )
    // The network's own word needs no ringing.
    expect(inWords([...early, token(12_000, 'NO CARRIER'), cause(13_000, 20)], unlearned)).toBe(
      'failed unreachable likely no',
    )
    expect(inWords([...early, hangUp(25_200, 'setupTimeout')], unlearned)).toBe(
      'timeout no_ringing assumed no',
    )
  })

  it('witnesses a confirmation that is missing', () => {
    expect(verdictOf([...rang, token(8_000, 'BUSY'), unconfirmed]).witnesses).toContain('unconfirmed')
  })

  it('believes a modem of another family no more than it can know', () => {
    // S19: state 0 comes with the ringing, and a reject leaves the trace of ringing in vain.
    const ringback = [ok, state(300, 2), state(5_000, 3), state(5_100, 0)]
    const inVain = [...ringback, hangUp(35_000, 'rangLongEnough')]
    expect(inWords(inVain, {}, 'A7672SA')).toBe('timeout no_reaction unknown unknown')
    expect(inWords(inVain, { mode: 'answer_hold' }, 'A7672SA')).toBe('timeout no_answer unknown unknown')
    const ended = [...ringback, token(9_000, 'NO CARRIER')]
    expect(inWords(ended, {}, 'A7672SA')).toBe('completed rejected_after_ring assumed likely')
    expect(inWords(ended, { mode: 'answer_release' }, 'A7672SA')).toBe(
      'completed answered_released assumed likely',
    )
    expect(inWords(ended, {}, 'SIM800L')).toBe('failed answered_unexpectedly unknown unknown')
    expect(inWords([refused(30)], {}, 'A7672SA')).toBe('failed no_network certain no R')
    expect(inWords([...rang, token(8_000, 'BUSY')], {}, 'no such model')).toBe(
      'completed rejected_after_ring assumed likely',
    )
    // NO CARRIER while it falls back to 2G or 3G is no end, unless it has rung.
    const early4g = [ok, state(300, 2), token(6_000, 'NO CARRIER')]
    expect(recordOf(early4g, 'A7672SA').trace.endMs).toBeNull()
    expect(recordOf([...early4g, state(9_000, 3), token(12_000, 'NO CARRIER')], 'A7672SA').trace.endMs).toBe(
      12_000,
    )
    expect(recordOf(early4g, 'SIM7600E-H').trace.endMs).toBe(6_000)
    const refusedSoon = [ok, state(300, 2), token(1_000, 'NO CARRIER'), state(1_100, 6)]
    expect(inWords(refusedSoon, {}, 'A7672SA')).toBe('failed network_rejected assumed no')
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
      { fact: 'connected', text: 'MO CONNECTED' },
      { fact: 'released', text: 'CDRIND 0' },
      { fact: 'registration', isRegistered: false },
      { fact: 'unconfirmed' },
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
          const record = recordOf(facts)
          expect(record.facts.length).toBeLessThanOrEqual(128)
          const noted = record.facts.filter(
            ({ fact }) => !['hangUp', 'cause', 'lost', 'unconfirmed'].includes(fact.fact),
          )
          expect(noted.length).toBeLessThanOrEqual(120)
          expect(verdict.witnesses.length).toBeLessThanOrEqual(16)
        },
      ),
      { numRuns: 60 },
    )
  })
})
