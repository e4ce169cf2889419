import { exampleEvidence, exampleOpening } from '@callgate/contract/rest/opening'
import { expect, it } from 'vitest'
import { en } from '../words/en.ts'
import { ro } from '../words/ro.ts'
import { meaningOf, phasesOf, safetyOf, withoutLines } from './evidence.ts'

it('lays the phases of a call one after the other', () => {
  expect(phasesOf(exampleOpening, exampleEvidence)).toEqual([
    { name: 'asked', ms: 243, fromMs: -243 },
    { name: 'setup', ms: 4_310, fromMs: 0 },
    { name: 'ringing', ms: 3_420, fromMs: 4_310 },
  ])
  expect(phasesOf(exampleOpening, { ...exampleEvidence, verdict: null })).toEqual([])
})

it.each([
  ['OK', en.line.accepted],
  ['CLCC 3 listed', en.line.ringing],
  ['MO RING', en.line.ringing],
  ['CLCC 6', en.line.ended],
  ['BUSY', en.line.rejected],
  ['CEER 17', 'The network gives cause 17'],
  ['ATH, cancelled', en.line.hungUp],
  ['modem lost, port', en.line.stopped],
  ['a word of tomorrow', ''],
])('explains %s', (event, meaning) => {
  expect(meaningOf(event, en.line)).toBe(meaning)
  expect(meaningOf(event, ro.line) === '').toBe(meaning === '')
})

it('reports that nothing was dialled only where that is known', () => {
  const failed = { status: 'failed' } as const
  const evidence = { ...exampleEvidence, verdict: null, opened: 'no', confidence: 'certain' } as const
  expect(withoutLines(failed, { ...evidence, reason: 'gateway_offline' })).toBe('noLine')
  expect(withoutLines(failed, { ...evidence, reason: 'outside_schedule' })).toBe('noLine')
  // The gateway was granted a dial, and never reported.
  const unknown = { ...evidence, opened: 'unknown', confidence: 'unknown', reason: 'no_report' } as const
  expect(withoutLines(failed, unknown)).toBe('lineUnknown')
  expect(withoutLines(exampleOpening, exampleEvidence)).toBeUndefined()
  expect(withoutLines({ status: 'initiated' }, { ...evidence, opened: null, reason: null })).toBeUndefined()
})

it('asks to look at the gate wherever it may have moved', () => {
  const safety = (opened: 'yes' | 'likely' | 'no' | 'unknown', safeToRetry: boolean) =>
    safetyOf({ ...exampleEvidence, opened, safeToRetry })
  expect(safety('no', true)).toBe('yes')
  expect(safety('no', false)).toBe('change')
  expect([safety('likely', false), safety('unknown', false)]).toEqual(['look', 'look'])
})
