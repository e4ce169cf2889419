// The corner cases of verdict, tracker and plan: each rare state of a call has one result.

import type { CallProfile } from '@callgate/contract/call/callProfile'
import { describe, expect, it } from 'vitest'
import { quirksOf } from '../quirks.ts'
import { learnedProfile } from '../scriptedModem.kit.ts'
import type { CallFact } from './callFacts.ts'
import { nextStep } from './callPlan.ts'
import { emptyRecord, recordFact } from './callTracker.ts'
import { callVerdict } from './callVerdict.ts'

type Timed = readonly [number, CallFact]

const state = (atMs: number, number: number): Timed => [atMs, { fact: 'state', state: number, by: 'urc' }]
const busy = (atMs: number): Timed => [atMs, { fact: 'token', token: 'BUSY' }]
const cause = (number: number): Timed => [10_000, { fact: 'cause', cause: number }]
const service = (code: number): Timed => [6_000, { fact: 'service', code }]
const refused = (code: number): Timed => [100, { fact: 'refused', error: { code, text: 'ERROR' } }]
const hangUp = (atMs: number, why: Extract<CallFact, { fact: 'hangUp' }>['why']): Timed => [
  atMs,
  { fact: 'hangUp', why },
]
const early: readonly Timed[] = [[200, { fact: 'accepted' }], state(300, 2)]
const rang: readonly Timed[] = [...early, state(5_000, 3)]
const answered: readonly Timed[] = [...rang, state(7_000, 0)]

function recordOf(facts: readonly Timed[], model = 'SIM800L') {
  const before = emptyRecord(quirksOf(model).senses)
  return facts.reduce((known, [atMs, fact]) => recordFact(known, atMs, fact), before)
}
const profileOf = (over: Partial<CallProfile>): CallProfile => ({ ...learnedProfile, ...over })

describe('the verdict on a call', () => {
  it.each<[string, readonly Timed[], Partial<CallProfile>, string]>([
    ['refused for its number', [refused(26)], {}, 'failed bad_number certain no'],
    ['refused with another code', [refused(99)], {}, 'failed network_rejected certain no'],
    [
      'forwarded while it rang',
      [...rang, service(2), busy(8_000)],
      {},
      'failed voicemail_suspected unknown unknown',
    ],
    [
      'that rang out before the ringing time of the gate',
      [...rang, busy(9_000), cause(19)],
      { mode: 'ring' },
      'timeout rang_out unknown unknown',
    ],
    [
      'of which the network says that nobody answered',
      [...rang, busy(8_000), cause(18)],
      {},
      'timeout rang_out likely no',
    ],
    [
      'that the network ended for a reason of its own',
      [...rang, busy(8_000), cause(34)],
      {},
      'failed ended_too_early unknown unknown',
    ],
    [
      'that a rejecting gate sends to its voicemail',
      [...answered, hangUp(7_000, 'answered')],
      { rejectDiverts: true },
      'completed rejected_to_voicemail likely likely',
    ],
    [
      'that was answered where only ringing was expected',
      [...answered, hangUp(7_000, 'answered')],
      { mode: 'ring', rejectDiverts: true },
      'failed answered_unexpectedly unknown unknown',
    ],
    [
      'answered without ringing, where ringing may go unreported',
      [...early, state(4_000, 0), busy(9_000)],
      { mode: 'answer_release', learned: false },
      'completed answered_released assumed likely',
    ],
    [
      'on which the modem fell silent before it rang',
      [...early, [9_000, { fact: 'unheard' }], hangUp(25_200, 'setupTimeout')],
      {},
      'failed modem_lost unknown unknown',
    ],
    [
      'on which the modem fell silent while it rang',
      [...rang, [9_000, { fact: 'unheard' }], hangUp(35_000, 'rangLongEnough')],
      {},
      'failed modem_lost_after_ring unknown unknown',
    ],
    [
      'cancelled late: ringing that was reported at the measurement may go unreported now',
      [...early, hangUp(8_000, 'cancelled')],
      {},
      'failed cancelled unknown unknown',
    ],
    [
      'cancelled while somebody spoke',
      [...answered, hangUp(8_000, 'cancelled')],
      { mode: 'answer_hold' },
      'failed cancelled unknown unknown',
    ],
    [
      'without ringing, where it is never reported',
      [...early, hangUp(25_200, 'setupTimeout')],
      { silentAlerting: true },
      'timeout no_ringing unknown unknown',
    ],
    [
      'that ended before the ringing time of the gate',
      [...rang, hangUp(57_000, 'callLimit')],
      { mode: 'ring' },
      'timeout no_reaction unknown unknown',
    ],
    [
      'cancelled at once, when the last list no longer showed it',
      [...early, [1_500, { fact: 'emptyList' }], hangUp(2_000, 'cancelled')],
      {},
      'failed cancelled unknown unknown',
    ],
    [
      'hung up in vain, when the last list no longer showed it',
      [...rang, [34_000, { fact: 'emptyList' }], hangUp(35_000, 'rangLongEnough')],
      {},
      'timeout no_reaction unknown unknown',
    ],
    [
      'whose end may be that of another call',
      [...rang, [7_000, { fact: 'otherCall' }], busy(8_000), [8_500, { fact: 'endUnproven' }]],
      {},
      'failed outcome_unknown unknown unknown',
    ],
    [
      'that is listed as ended beside another call',
      [...rang, [7_000, { fact: 'otherCall' }], state(8_000, 6), [8_500, { fact: 'endUnproven' }]],
      {},
      'completed rejected_after_ring likely likely',
    ],
    [
      'that ended just before it was hung up',
      [...rang, busy(8_000), hangUp(8_100, 'rangLongEnough')],
      {},
      'completed rejected_after_ring likely likely',
    ],
  ])('%s', (_, facts, over, expected) => {
    const { confidence, opened, reason, status } = callVerdict(recordOf(facts), profileOf(over))
    expect([status, reason, confidence, opened].join(' ')).toBe(expected)
  })

  it('has at most 16 witnesses, the last fact among them', () => {
    const services = Array.from({ length: 20 }, (_, code) => service(code))
    const { witnesses } = callVerdict(recordOf([...rang, ...services, busy(8_000)]), learnedProfile)
    expect(witnesses).toHaveLength(16)
    expect(witnesses.at(-1)).toBe('BUSY')
  })
})

describe('the record of a call', () => {
  it('takes state 0 for ringing on a modem that reports it at the first ringing', () => {
    const { trace } = recordOf([...early, state(5_000, 0), state(6_000, 0)], 'A7672SA')
    expect(trace).toMatchObject({ alertedMs: 5_000, activeMs: null, isSaidActive: true })
  })

  it('keeps the first hang-up and each service once', () => {
    const { trace } = recordOf([
      ...rang,
      service(2),
      service(2),
      hangUp(8_000, 'cancelled'),
      hangUp(9_000, 'callLimit'),
    ])
    expect(trace).toMatchObject({ services: [2], hangUpMs: 8_000, hangUpWhy: 'cancelled' })
  })

  it('lists 120 facts, repeated ones up to 64, and traces every fact', () => {
    const services = Array.from({ length: 150 }, (_, code) => service(code))
    const crowded = recordOf(services)
    expect(crowded.facts).toHaveLength(120)
    expect(crowded.trace.services).toHaveLength(150)
    const repeated = recordOf([...services.slice(0, 64), service(0), service(64)])
    expect(repeated.facts).toHaveLength(65)
  })
})

describe('the next step of a call', () => {
  const dueOf = (facts: readonly Timed[], over: Partial<CallProfile>) =>
    nextStep(recordOf(facts).trace, profileOf(over), { pollMs: null, polledMs: 0 }, 8_000)

  it.each<[string, readonly Timed[], Partial<CallProfile>, number]>([
    ['lasts as long as the gate has to be held', answered, { mode: 'answer_hold', holdMs: 3_000 }, 10_000],
    ['rings as long as the gate has to be rung', rang, { mode: 'ring', ringHangupMs: 12_000 }, 17_000],
    ['lasts no longer than any call may', [...rang, state(50_000, 0)], { mode: 'answer_release' }, 57_000],
  ])('%s', (_, facts, over, untilMs) => {
    expect(dueOf(facts, over)).toEqual({ step: 'wait', untilMs })
  })
})
