// The truth matrix: the driver reports nothing that the relay did not do, and the page of the matrix is up to date.

import { readFileSync } from 'node:fs'
import { isHelpedByAnother, passesByItself } from '@callgate/contract/call/advice'
import { callModes } from '@callgate/contract/call/callProfile'
import { modelNames } from '@callgate/simulator/core/model'
import { modelFaults } from '@callgate/simulator/modelFaults'
import { farEndNames, isFaultName as isModemFaultName } from '@callgate/simulator/presets'
import { beforeAll, describe, expect, it } from 'vitest'
import { callsInTurn, pageModels, type TruthCall, truthCalls, truthMatrix } from './calls.ts'
import { distinguish, falseReports } from './criteria.ts'
import { pageFile, pageSeeds, truthPage } from './truthPage.ts'

let calls: readonly TruthCall[] = []
beforeAll(async () => {
  calls = await truthMatrix({ seeds: pageSeeds })
})

const nameOf = ({ model, faults, farEnd, mode, seed, verdict }: TruthCall) =>
  `${model} ${faults} ${farEnd} ${mode} ${seed}: ${verdict.reason}, ${verdict.confidence}`

describe('the truth matrix', () => {
  it('has every far end in every mode on a model of each family, with moved and unmoved relays', () => {
    expect(calls).toHaveLength(farEndNames.length * 6 * pageModels.length * pageSeeds)
    const moved = calls.filter(({ hasMoved }) => hasMoved).length
    expect(moved).toBeGreaterThan(calls.length / 4)
    expect(moved).toBeLessThan((calls.length * 3) / 4)
  })

  it('contains no false report', () => {
    expect(falseReports(calls).map(nameOf)).toEqual([])
  })

  it('A3: has no moved gate where a call by another gateway counts as safe', () => {
    const forAnother = calls.filter(
      ({ verdict: { opened, reason } }) => opened === 'no' && isHelpedByAnother(reason),
    )
    expect(forAnother.length).toBeGreaterThan(20)
    expect(forAnother.filter(({ hasMoved }) => hasMoved).map(nameOf)).toEqual([])
  })

  it('distinguishes 95 % of the far ends that have distinct traces', () => {
    const { distinct, missed, right } = distinguish(calls)
    expect(distinct).toBeGreaterThan(100)
    expect(right / distinct, missed.join('\n')).toBeGreaterThanOrEqual(0.95)
  })

  it('is the page in the documents, which `pnpm truth --write` writes', () => {
    expect(readFileSync(pageFile, 'utf8')).toBe(truthPage(calls))
  })
})

describe('gates called one directly after the other', () => {
  const cases = pageModels.flatMap(model =>
    [
      [],
      ['end_order_random'],
      ['ath_slow_19s', 'silent_alerting'],
      ['ath_slow_19s', 'silent_alerting', 'end_order_random'],
      ['clcc_always_empty'],
      ['clcc_always_empty', 'end_order_random'],
      ['clcc_unanswered_once'],
    ].map(faults => [model, faults.filter(isModemFaultName)] as const),
  )

  // Late signs of a call that we hung up may come during the next one.
  const gates = [
    { mode: 'reject', farEnd: 'ring_forever' },
    { mode: 'reject', farEnd: 'reject_busy' },
    { mode: 'answer_hold', farEnd: 'answer_hold' },
    { mode: 'unverified', farEnd: 'reject_no_carrier' },
    { mode: 'reject', farEnd: 'reject_then_voicemail' },
    { mode: 'unverified', farEnd: 'reject_busy' },
  ] as const

  it.each(cases)('on %s with %j: no call gets the end of the call before', async (model, faults) => {
    const wrong: string[] = []
    // With odd seeds, gates and networks are unchanged presets.
    for (const seed of [1, 3, 5, 7]) {
      const turn = await callsInTurn({ model, seed, faults, gates })
      const retried = turn.filter(({ verdict }) => verdict.safeToRetry)
      const unsafe = retried.filter(({ hasMoved, verdict }) => hasMoved || !passesByItself(verdict.reason))
      wrong.push(...falseReports(turn).map(nameOf), ...unsafe.map(nameOf))
      const isReported = model !== 'a7672' && model !== 'standard' && !faults.includes('silent_alerting')
      const unseen = turn.filter(({ hasMoved, verdict }) => hasMoved && verdict.status !== 'completed')
      if (isReported) wrong.push(...unseen.map(nameOf))
    }
    expect(wrong).toEqual([])
  })
})

describe('every model with each fault of its own', () => {
  const cases = modelNames.flatMap(model => modelFaults[model].map(fault => [model, fault] as const))
  // One far end of each kind; `pnpm truth --faults` calls all of them.
  const farEnds = [
    'reject_busy',
    'reject_without_opening',
    'answer_release_2s',
    'answer_hold',
    'ring_opens',
    'ring_forever',
    'voicemail_after_20s',
    'busy_before_alert',
    'no_credit_nocarrier_1s',
  ] as const

  it.each(cases)('%s with %s reports nothing falsely', async (model, fault) => {
    const place = cases.findIndex(one => one[0] === model && one[1] === fault)
    // Each case takes three of them, so that a few models with the same fault have them all.
    const some = farEnds.filter((_, at) => at % 3 === place % 3)
    const made: TruthCall[] = []
    for (const farEnd of some) made.push(...(await truthCalls(farEnd, model, 1 + (place % 2), fault)))
    expect(made).toHaveLength(some.length * 6)
    expect(falseReports(made).map(nameOf)).toEqual([])
  })
})

describe('a route that has stopped reporting ringing since the calibration', () => {
  const models = modelNames.filter(model => modelFaults[model].some(fault => fault === 'silent_alerting'))

  it.each(models)('on %s reports nothing falsely', async model => {
    const made: TruthCall[] = []
    for (const seed of [1, 2])
      for (const farEnd of ['reject_busy', 'reject_no_carrier', 'ring_opens', 'answer_release_2s'] as const) {
        const gates = callModes.map(mode => ({ mode, farEnd }))
        const faults = ['silent_alerting'] as const
        made.push(...(await callsInTurn({ model, seed, faults, gates, isProfileOlder: true })))
      }
    expect(made.filter(({ hasMoved, verdict }) => hasMoved && verdict.setupMs === null)).not.toEqual([])
    expect(falseReports(made).map(nameOf)).toEqual([])
  })
})

describe('the check for false reports', () => {
  it('finds false reports of both kinds', () => {
    const [call] = calls
    if (!call) throw new Error('there are no calls')
    const said = (hasMoved: boolean, verdict: Partial<TruthCall['verdict']>): TruthCall => ({
      ...call,
      hasMoved,
      verdict: {
        ...call.verdict,
        setupMs: 5_000,
        status: 'failed',
        opened: 'unknown',
        confidence: 'unknown',
        ...verdict,
      },
    })
    const wrong = [
      said(false, { status: 'completed', opened: 'likely', confidence: 'likely' }),
      said(false, { opened: 'yes' }),
      said(true, { opened: 'no', confidence: 'certain' }),
    ]
    const unanswered = said(false, { status: 'completed', opened: 'likely', confidence: 'assumed' })
    const explicit = (noAnswerOpens: boolean) => ({
      ...unanswered,
      mode: 'reject' as const,
      noAnswerOpens,
      verdict: { ...unanswered.verdict, endToken: 'NO ANSWER' },
    })
    expect([explicit(false), explicit(true)].map(one => falseReports([one]).length)).toEqual([1, 0])
    const denied = (farEnd: TruthCall['farEnd'], mode: TruthCall['mode']) => ({
      ...said(true, { opened: 'no', confidence: 'likely' }),
      farEnd,
      mode,
    })
    const known = denied('reject_busy', 'reject')
    // The route reports no ringing, although the profile says that it does.
    const silent = { ...known, verdict: { ...known.verdict, setupMs: null } }
    wrong.push(denied('ring_opens', 'ring'), denied('reject_busy', 'ring'), known, silent)
    const right = [
      said(false, { status: 'completed', opened: 'likely', confidence: 'assumed' }),
      denied('reject_busy', 'answer_hold'),
      said(false, { opened: 'no', confidence: 'certain' }),
    ]
    expect(falseReports([...wrong, ...right])).toEqual(wrong)
  })
})
