// The verdict beyond its table: measured profiles, limits of a modem's evidence, and properties for any facts.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  answered,
  cause,
  early,
  hangUp,
  inWords,
  modes,
  ok,
  rang,
  recordOf,
  refused,
  released,
  state,
  type Timed,
  token,
  unconfirmed,
  verdictOf,
} from '../callFacts.kit.ts'
import { type CallFact, factText } from './callFacts.ts'

describe('the verdict', () => {
  it('says likely only where the profile was learned and an opening leaves signs of its own', () => {
    const facts = [...rang, token(8_000, 'BUSY')]
    expect(verdictOf(facts, { learned: false }).confidence).toBe('assumed')
    expect(verdictOf(facts, { discriminating: false }).confidence).toBe('assumed')
    expect(verdictOf(released, { mode: 'answer_release', reactMaxMs: 3_000 }).confidence).toBe('assumed')
  })

  it('is unknown where another program may have hung up, and where the cause is in no table', () => {
    const ended = [...rang, state(8_000, 6)]
    expect(inWords([...ended, cause(8_900, 16)], {})).toBe('failed outcome_unknown unknown unknown')
    expect(inWords([...ended, token(8_100, 'NO CARRIER'), cause(8_900, 16)], {})).toMatch(/^completed/)
    const strange: Timed = [8_900, { fact: 'strangeCause' }]
    expect(inWords([...ended, token(8_100, 'NO CARRIER'), strange], {})).toMatch(
      /^failed .* unknown unknown$/,
    )
  })

  it('is never likely on a route without ringing, where a busy gate or an announcement looks the same', () => {
    const silent = { silentAlerting: true }
    const rejected = [...early, token(8_000, 'BUSY'), state(8_100, 6), cause(8_900, 17)]
    expect(inWords(rejected, silent)).toBe('completed rejected_after_ring assumed likely')
    const answers = [...early, state(6_000, 0), token(9_000, 'NO CARRIER'), state(9_100, 6)]
    for (const mode of ['answer_release', 'answer_hold'] as const)
      expect(verdictOf(answers, { ...silent, mode })).toMatchObject({
        status: 'completed',
        confidence: 'assumed',
      })
    expect(verdictOf(answers, { ...silent, rejectDiverts: true }).confidence).toBe('assumed')
  })

  it('calls an end busy and safe to retry only where it cannot be the reject of a gate', () => {
    const unlearned = { learned: false }
    const busy = (atMs: number) => [
      ...early,
      token(atMs, 'BUSY'),
      state(atMs + 100, 6),
      cause(atMs + 900, 17),
    ]
    expect(inWords(busy(2_000), unlearned)).toBe('failed busy assumed no R')
    expect(inWords(busy(6_000), unlearned)).toBe('failed busy unknown unknown')
    // The call did not wait for a late OK.
    const lateOk: Timed = [15_000, { fact: 'accepted' }]
    expect(inWords([state(300, 2), lateOk, token(17_000, 'BUSY')], unlearned)).toBe(
      'failed busy unknown unknown',
    )
    expect(inWords([state(300, 2), lateOk, hangUp(17_000, 'cancelled')], unlearned)).toBe(
      'failed cancelled unknown unknown',
    )
    // Ringing that was reported at the measurement need not be reported now.
    expect(inWords(busy(2_000), {})).toBe('failed busy likely no R')
    expect(inWords(busy(6_000), {})).toBe('failed busy unknown unknown')
    expect(inWords([...early, token(6_000, 'NO CARRIER'), cause(7_000, 21)], unlearned)).toBe(
      'failed unreachable unknown unknown',
    )
    // A report of the network's own needs no ringing.
    expect(inWords([...early, token(12_000, 'NO CARRIER'), cause(13_000, 20)], unlearned)).toBe(
      'failed unreachable likely no',
    )
    expect(inWords([...early, hangUp(25_200, 'setupTimeout')], unlearned)).toBe(
      'timeout no_ringing assumed no',
    )
  })

  it('reports a SIM error only for refusals that mean the SIM card', () => {
    const answer = (code: number | null, text: string): Timed => [
      100,
      { fact: 'refused', error: { code, text } },
    ]
    expect(inWords([answer(null, 'ERROR')], {})).toBe('failed sim_error certain no')
    for (const text of ['unknown', 'network rejected request'])
      expect(inWords([answer(null, `+CME ERROR: ${text}`)], {})).toBe('failed network_rejected certain no')
    for (const text of ['call barred', 'Operator determined barring'])
      expect(inWords([answer(null, `+CME ERROR: ${text}`)], {})).toBe('failed calls_barred certain no')
    expect(inWords([answer(null, '+CME ERROR: ACM limit reached')], {})).toBe('failed no_credit certain no')
    // 257 is one of these two words or the other, by the maker.
    expect(inWords([answer(257, '+CME ERROR: 257')], {})).toBe('failed network_rejected certain no')
  })

  it('takes NO DIALTONE for a refusal only in place of the OK', () => {
    const gone = (atMs: number) => token(atMs, 'NO DIALTONE')
    expect(inWords([gone(100)], {})).toBe('failed no_network certain no R')
    expect(inWords([...early, gone(3_000)], {})).toBe('failed no_network likely no R')
    const lostUnderIt = 'failed outcome_unknown unknown unknown'
    expect(inWords([...early, gone(20_000)], {})).toBe(lostUnderIt)
    expect(inWords([...early, gone(20_000), cause(20_100, 1)], {})).toBe(lostUnderIt)
    expect(inWords([state(300, 2), gone(6_000)], { silentAlerting: true })).toBe(lostUnderIt)
    expect(inWords([...rang, gone(9_000)], {})).toBe(lostUnderIt)
    expect(inWords([...answered, gone(9_000)], { mode: 'answer_release' })).toBe(lostUnderIt)
  })

  it('lists a missing confirmation among the witnesses', () => {
    expect(verdictOf([...rang, token(8_000, 'BUSY'), unconfirmed]).witnesses).toContain('unconfirmed')
  })

  it('gives a modem of another family no more confidence than its signs allow', () => {
    // S19: state 0 comes with the ringing, and a reject leaves the trace of unanswered ringing.
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

  it('measures from dialling where the route never reports ringing', () => {
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

  // Reasons that pass by themselves: another press can help.
  const retried: readonly string[] = ['no_network', 'line_in_use', 'busy', 'congestion', 'modem_lost']

  it('completes nothing without ringing, an answer or dialling, and keeps the limits of evidence', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 60_000 }), anyFact), { maxLength: 400 }),
        fc.constantFrom(...modes),
        (unordered, mode) => {
          const facts = unordered.toSorted(([a], [b]) => a - b)
          const verdict = verdictOf(facts, { mode })
          const texts = facts.map(([, fact]) => factText(fact))
          const rangOrAnswered = texts.some(text => /^(CLCC [03]|MO )/.test(text))
          if (verdict.status === 'completed') expect(rangOrAnswered).toBe(true)
          if (mode === 'unverified') {
            expect(['assumed', 'unknown']).toContain(verdict.confidence)
            if (verdict.opened === 'no') expect(verdictOf(facts, { mode: 'ring' }).opened).toBe('no')
          }
          const { opened, reason, safeToRetry } = verdict
          if (safeToRetry) expect([opened, retried.includes(reason)]).toEqual(['no', true])
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
