// The decision table of docs/verdicts.md: every row in every mode, and what that page says beyond it.

import { readFileSync } from 'node:fs'
import type { CallMode } from '@callgate/contract/call/callProfile'
import { describe, expect, it } from 'vitest'
import {
  answered,
  cause,
  confirmed,
  early,
  hangUp,
  inWords,
  lost,
  modes,
  off,
  rang,
  refused,
  released,
  state,
  type Timed,
  token,
  unconfirmed,
} from '../callFacts.kit.ts'

/** By mode: `status reason confidence opened`, with `R` where a retry is safe. */
type Outcomes = Readonly<Record<CallMode, string>>

/** The same in each mode; `unverified` is never surer than assumed. */
function same(outcome: string): Outcomes {
  return byMode(
    outcome,
    outcome,
    outcome,
    outcome,
    outcome,
    outcome.replace(/ (certain|likely) no/, ' assumed no'),
  )
}

function byMode(
  reject: string,
  reject_delayed: string,
  answer_release: string,
  answer_hold: string,
  ring: string,
  unverified: string,
): Outcomes {
  return { reject, reject_delayed, answer_release, answer_hold, ring, unverified }
}

const rejectedLikely = 'completed rejected_after_ring likely likely'
const rejectedAssumed = 'completed rejected_after_ring assumed likely'
const noReject = 'failed rejected unknown unknown'
const rangAssumed = 'completed rang assumed likely'
const noReaction = 'timeout no_reaction likely no'
const noAnswer = 'timeout no_answer likely no'
const unexpected = 'failed answered_unexpectedly unknown unknown'
const voicemail = 'failed voicemail_suspected unknown unknown'
const tooEarly = 'failed ended_too_early unknown unknown'
const rangOut = 'timeout rang_out likely no'
const rangOutOrNot = 'timeout rang_out unknown unknown'
/** A gate that only has to be rung may have moved all the same, and an unverified one may be such a gate. */
const unlessByRing = (outcome: string, ring: string): Outcomes => ({
  ...same(outcome),
  ring,
  unverified: `${outcome.split(' ', 2).join(' ')} unknown unknown`,
})
const nobodyTookIt = unlessByRing(rangOut, rangOutOrNot)
const late = 'failed late_release unknown unknown'
const hold = 'completed answered likely likely'
const heldOnly = 'completed answered assumed likely'
const confirmedByGate = same('completed confirmed certain yes')

const rejected = byMode(rejectedLikely, rejectedLikely, noReject, noReject, noReject, rejectedAssumed)
const inVain = byMode(
  noReaction,
  noReaction,
  noAnswer,
  noAnswer,
  rangAssumed,
  'timeout no_reaction unknown unknown',
)
const lateEnd = byMode(late, rejectedAssumed, rangOutOrNot, rangOutOrNot, rangAssumed, late)
const suspected = byMode(unexpected, unexpected, voicemail, voicemail, unexpected, unexpected)

const table: readonly (readonly [string, readonly Timed[], Outcomes])[] = [
  ['1', [refused(10)], same('failed sim_error certain no')],
  ['1 ERROR', [refused(null)], same('failed sim_error certain no')],
  ['2', [refused(30)], same('failed no_network certain no R')],
  ['2 token', [token(100, 'NO DIALTONE')], same('failed no_network certain no R')],
  ['3', [refused(771)], same('failed line_in_use certain no R')],
  [
    '4',
    [[20_000, { fact: 'unanswered' }], hangUp(20_000, 'unanswered')],
    same('failed dial_no_response unknown unknown'),
  ],
  ['5', [...early, token(2_000, 'BUSY')], same('failed busy likely no R')],
  ['5 cause', [...early, token(2_000, 'NO CARRIER'), cause(3_000, 17)], same('failed busy likely no R')],
  ['6', [...early, token(1_500, 'NO CARRIER')], same('failed network_rejected likely no')],
  ['6 cause', [...early, token(9_000, 'BUSY'), cause(9_900, 50)], same('failed network_rejected likely no')],
  ['6 no credit', [...early, token(9_000, 'BUSY'), cause(9_900, 68)], same('failed no_credit likely no')],
  [
    '6 barred, by its cause',
    [...early, token(9_000, 'BUSY'), cause(9_900, 8)],
    same('failed calls_barred likely no'),
  ],
  [
    '6 barred',
    [...early, [900, { fact: 'service', code: 5 }], token(9_000, 'NO CARRIER')],
    same('failed calls_barred likely no'),
  ],
  ['7', [...early, token(2_000, 'NO CARRIER'), cause(3_000, 1)], same('failed bad_number certain no')],
  ['8', [...early, token(2_000, 'BUSY'), cause(3_000, 34)], same('failed congestion certain no R')],
  ['9', [...early, token(9_000, 'NO CARRIER'), state(9_100, 6)], same('failed unreachable unknown unknown')],
  ['9 soon', [...early, token(3_500, 'NO CARRIER'), state(3_600, 6)], same('failed unreachable likely no')],
  ['9 cause', [...early, state(2_000, 6), cause(3_000, 27)], same('failed unreachable likely no')],
  [
    '10',
    [...early, hangUp(25_200, 'setupTimeout')],
    unlessByRing('timeout no_ringing likely no', 'timeout no_ringing unknown unknown'),
  ],
  ['11 BUSY', [...rang, token(8_000, 'BUSY'), cause(9_000, 17)], rejected],
  ['11 NO CARRIER', [...rang, token(8_000, 'NO CARRIER'), cause(9_000, 16)], rejected],
  ['11 no token', [...rang, state(8_000, 6)], rejected],
  // The network's own report decides, however soon it comes, such as NO ANSWER at 13 s after `MO RING` at 1 s.
  ['11 NO ANSWER', [...rang, token(8_000, 'NO ANSWER')], nobodyTookIt],
  [
    '11 NO ANSWER, unmeasured window',
    [...early, [1_000, { fact: 'moRing' }], token(13_000, 'NO ANSWER')],
    unlessByRing(rangOut, rangAssumed),
  ],
  ['11 NO ANSWER and its cause', [...rang, token(8_000, 'NO ANSWER'), cause(9_000, 19)], nobodyTookIt],
  [
    '11 NO ANSWER against the cause',
    [...rang, token(8_000, 'NO ANSWER'), cause(9_000, 21)],
    same(rangOutOrNot),
  ],
  ['12 NO ANSWER', [...rang, token(5_400, 'NO ANSWER')], nobodyTookIt],
  ['12 NO ANSWER by its cause', [...rang, token(5_400, 'BUSY'), cause(6_400, 102)], nobodyTookIt],
  ['9 NO ANSWER', [...early, token(9_000, 'NO ANSWER')], nobodyTookIt],
  [
    '9 NO ANSWER by its cause',
    [...early, token(9_000, 'NO CARRIER'), cause(9_900, 19)],
    unlessByRing('failed unreachable likely no', rangOutOrNot),
  ],
  [
    '9 absent, by its cause',
    [...early, token(9_000, 'NO CARRIER'), cause(9_900, 18)],
    unlessByRing('failed unreachable likely no', rangOutOrNot),
  ],
  [
    '9 NO ANSWER against the cause',
    [...early, token(9_000, 'NO ANSWER'), cause(9_900, 17)],
    same(rangOutOrNot),
  ],
  [
    '16 NO ANSWER',
    [...answered, token(9_000, 'NO ANSWER')],
    byMode(unexpected, unexpected, rangOutOrNot, rangOutOrNot, unexpected, unexpected),
  ],
  [
    '16 NO ANSWER by its cause',
    [...answered, token(9_000, 'NO CARRIER'), cause(9_900, 19)],
    byMode(unexpected, unexpected, rangOutOrNot, rangOutOrNot, unexpected, unexpected),
  ],
  ['12', [...rang, token(5_400, 'BUSY')], byMode(tooEarly, tooEarly, tooEarly, tooEarly, noReject, tooEarly)],
  [
    '13 rang out',
    [...rang, token(25_000, 'NO CARRIER'), cause(26_000, 19)],
    unlessByRing(rangOut, rangAssumed),
  ],
  ['13 NO ANSWER', [...rang, token(25_000, 'NO ANSWER')], unlessByRing(rangOut, rangAssumed)],
  ['13 cause', [...rang, token(25_000, 'NO CARRIER'), cause(26_000, 16)], lateEnd],
  ['13', [...rang, token(25_000, 'BUSY')], lateEnd],
  ['14', [...rang, hangUp(35_000, 'rangLongEnough')], inVain],
  [
    '14 call waiting',
    [...rang, [5_200, { fact: 'service', code: 3 }], hangUp(17_000, 'rangLongEnough')],
    { ...inVain, ring: 'failed busy unknown unknown' },
  ],
  [
    '15',
    [...answered, hangUp(7_000, 'answered')],
    byMode(unexpected, unexpected, heldOnly, heldOnly, unexpected, unexpected),
  ],
  [
    '16',
    released,
    byMode(unexpected, unexpected, 'completed answered_released likely likely', hold, unexpected, unexpected),
  ],
  [
    '16 dropped',
    [...answered, token(7_500, 'NO CARRIER')],
    byMode(
      unexpected,
      unexpected,
      'completed answered_released likely likely',
      'failed dropped unknown unknown',
      unexpected,
      unexpected,
    ),
  ],
  [
    '16 an announcement',
    [...early, state(4_000, 0), token(10_000, 'NO CARRIER'), cause(10_900, 16)],
    same(unexpected),
  ],
  [
    '17',
    [...answered, hangUp(10_000, 'talkedLongEnough')],
    byMode(unexpected, unexpected, heldOnly, hold, unexpected, unexpected),
  ],
  ['17 forwarded', [...rang, [6_000, { fact: 'service', code: 2 }], ...released.slice(3)], suspected],
  ['17 late', [...rang, state(21_000, 0), hangUp(24_000, 'talkedLongEnough')], suspected],
  ['18', [...early, hangUp(2_000, 'cancelled')], same('failed cancelled likely no')],
  ['18 ringing', [...rang, hangUp(6_000, 'cancelled')], same('failed cancelled unknown unknown')],
  ['18 answered', [...answered, hangUp(7_500, 'cancelled')], same('failed cancelled unknown unknown')],
  ['19', [lost(150)], same('failed modem_lost likely no R')],
  ['19 late', [lost(4_500)], same('failed modem_lost unknown unknown')],
  ['19 port', [lost(150, 'port')], same('failed modem_lost unknown unknown')],
  ['20', [...early, lost(900)], same('failed modem_lost unknown unknown')],
  ['21', [...rang, lost(6_000)], same('failed modem_lost_after_ring unknown unknown')],
  [
    '21 unseen',
    [...rang, state(8_000, 6), lost(9_000, 'settingsGone')],
    same('failed modem_lost_after_ring unknown unknown'),
  ],
  ['22', [...rang, hangUp(35_000, 'rangLongEnough'), confirmed()], confirmedByGate],
  ['22 answered', [...answered, hangUp(7_000, 'answered'), confirmed()], confirmedByGate],
  [
    '22 of the call before',
    [...rang, token(8_000, 'BUSY'), confirmed(true)],
    same('completed confirmed assumed likely'),
  ],
  ['22 not dialled', [refused(30), confirmed()], same('failed no_network certain no R')],
  [
    '23',
    [...rang, token(8_000, 'BUSY'), unconfirmed],
    byMode(rejectedAssumed, rejectedAssumed, noReject, noReject, noReject, rejectedAssumed),
  ],
  ['23 no reaction', [...rang, hangUp(35_000, 'rangLongEnough'), unconfirmed], inVain],
  [
    'network lost',
    [...rang, token(8_000, 'NO CARRIER'), [8_100, off]],
    same('failed outcome_unknown unknown unknown'),
  ],
  [
    'network back',
    [...rang, [6_000, off], [7_000, { fact: 'registration', isRegistered: true }], token(8_000, 'BUSY')],
    rejected,
  ],
  ['not written whole', [[0, { fact: 'unsent' }]], same('failed outcome_unknown unknown unknown')],
]

const page = readFileSync(new URL('../../docs/verdicts.md', import.meta.url), 'utf8')
/** The causes of a call that ended without ringing, with the reason that the page names for each. */
const causesOnPage = [
  ...page.matchAll(/^\| \d \| the same: cause ([\d, ]+)[^|]*\| failed `(\w+)`/gm),
].flatMap(([, causes = '', reason = '']) =>
  causes.split(',').map(number => [Number(number), reason] as const),
)

describe('A3: the decision table', () => {
  it('has the reason that the page names for each cause', () => {
    expect(causesOnPage.length).toBeGreaterThan(15)
    const found = causesOnPage.map(([number]) => {
      const facts = [...early, token(9_000, 'NO CARRIER'), cause(9_900, number)]
      return [number, inWords(facts, { mode: 'reject' }).split(' ')[1]]
    })
    expect(found).toEqual(causesOnPage)
  })

  it('has every row', () => {
    const rows = new Set(table.map(([row]) => Number.parseInt(row, 10)).filter(row => row > 0))
    expect([...rows].sort((a, b) => a - b)).toEqual(Array.from({ length: 23 }, (_, place) => place + 1))
  })

  it.each(table)('row %s', (_row, facts, outcomes) => {
    const said = Object.fromEntries(modes.map(mode => [mode, inWords(facts, { mode })]))
    expect(said).toEqual(outcomes)
  })

  it.each<[string, readonly Timed[], string]>([
    ['inside its window', [...rang, token(8_000, 'NO ANSWER')], rejectedLikely],
    ['with the cause of it', [...rang, token(8_000, 'NO ANSWER'), cause(9_000, 19)], rejectedLikely],
    ['sooner', [...rang, token(5_400, 'NO ANSWER')], rangOut],
    ['later', [...rang, token(26_000, 'NO ANSWER')], rangOut],
    [
      'without ringing',
      [...early, token(9_000, 'NO ANSWER'), state(9_100, 6)],
      'failed unreachable unknown unknown',
    ],
  ])('row 11 at a gate that was seen to open with NO ANSWER: %s', (_, facts, outcome) => {
    expect(inWords(facts, { mode: 'reject', noAnswerOpens: true })).toBe(outcome)
    const isRing = facts.some(([, { fact }]) => fact === 'state') && outcome === rejectedLikely
    // Where only another gateway has seen it, the outcome is unknown. In other modes it is no reject.
    expect(inWords(facts, { mode: 'reject', noAnswerOpens: true, learned: false })).toBe(rangOutOrNot)
    if (isRing) expect(inWords(facts, { mode: 'answer_hold', noAnswerOpens: true })).toBe(rangOut)
  })

  it('row 15, where the rejected call is known to end in a voicemail', () => {
    const facts = [...answered, hangUp(7_000, 'answered')]
    const diverts = (mode: CallMode) => inWords(facts, { mode, rejectDiverts: true })
    expect(modes.map(diverts)).toEqual([
      'completed rejected_to_voicemail likely likely',
      'completed rejected_to_voicemail likely likely',
      heldOnly,
      heldOnly,
      unexpected,
      'completed rejected_to_voicemail assumed likely',
    ])
  })

  it.each<[string, readonly Timed[]]>([
    ['NO ANSWER', [...answered, token(9_000, 'NO ANSWER')]],
    ['its cause 18', [...answered, token(9_000, 'NO CARRIER'), cause(9_900, 18)]],
    ['its cause 19', [...answered, token(9_000, 'NO CARRIER'), cause(9_900, 19)]],
    ['its cause 102', [...answered, state(9_000, 6), cause(9_900, 102)]],
  ])('row 15 does not apply where the network reports that nobody took the call: %s', (_, facts) => {
    const said = modes.map(mode => inWords(facts, { mode, rejectDiverts: true }))
    expect(said).toEqual([unexpected, unexpected, rangOutOrNot, rangOutOrNot, unexpected, unexpected])
  })

  it('is unknown for a gate that only has to be rung, whatever calibration measured', () => {
    const over = { mode: 'ring', noAnswerOpens: true } as const
    expect(inWords([...early, token(9_000, 'NO ANSWER')], over)).toBe(rangOutOrNot)
    expect(inWords([...rang, token(5_400, 'NO ANSWER')], over)).toBe(rangOutOrNot)
    expect(inWords([...early, token(9_000, 'NO ANSWER')], { ...over, silentAlerting: true })).toBe(
      rangOutOrNot,
    )
  })
})
