import { exampleEvidence, exampleOpening } from '@callgate/contract/rest/opening'
import { expect, it } from 'vitest'
import { en } from '../words/en.ts'
import { ro } from '../words/ro.ts'
import { lineRows, meaningOf, phasesOf, safetyOf, withoutLines } from './evidence.ts'

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

it('has one row for what the line says several times in turn', () => {
  const said = ['ATD', 'CLCC 3', 'MO RING', 'CLCC 3', 'new word', 'new word', 'other word', 'BUSY', 'CLCC 3']
  const events = said.map((event, place) => ({ atMs: place * 100, event }))
  expect(lineRows(events, en.line)).toEqual([
    { place: 0, atMs: 0, signals: ['ATD'], means: en.line.dial },
    { place: 1, atMs: 100, signals: ['CLCC 3', 'MO RING'], means: en.line.ringing },
    { place: 4, atMs: 400, signals: ['new word'], means: '' },
    { place: 6, atMs: 600, signals: ['other word'], means: '' },
    { place: 7, atMs: 700, signals: ['BUSY'], means: en.line.rejected },
    { place: 8, atMs: 800, signals: ['CLCC 3'], means: en.line.ringing },
  ])
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
