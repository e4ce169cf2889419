import { expect, it } from 'vitest'
import { didNotReact, hasRung, openingClassOf } from './openingClass.ts'
import { type ReasonWord, reasons } from './reason.ts'

const words = Object.keys(reasons) as ReasonWord[]
const ended = { status: 'failed', opened: 'no', confidence: 'certain', reason: 'busy' } as const

it('depends on what is known about the gate first, and then on the reason', () => {
  const running = { status: 'connected', opened: null, confidence: null, reason: null } as const
  expect(openingClassOf(running)).toBe('running')
  expect(openingClassOf({ ...ended, opened: 'likely', confidence: 'likely' })).toBe('opened')
  expect(openingClassOf({ ...ended, opened: 'yes', confidence: 'assumed' })).toBe('probably_opened')
  for (const reason of words) expect(openingClassOf({ ...ended, opened: 'unknown', reason })).toBe('unknown')
})

it('exists for each reason after which the gate did not open', () => {
  const classes = Object.fromEntries(words.map(reason => [reason, openingClassOf({ ...ended, reason })]))
  const of = (kind: string) => words.filter(word => classes[word] === kind)
  expect(of('denied')).toContain('outside_schedule')
  expect(of('not_called')).toContain('gateway_offline')
  // The modem's driver also reports these two as not dialled.
  const undialled = words.slice(0, words.indexOf('dial_no_response'))
  expect([...of('denied'), ...of('not_called')].sort()).toEqual([...undialled].sort())
  expect(of('did_not_open')).toHaveLength(words.length - undialled.length)
})

it('knows the reasons after which the gate was ringing, and those after which its module did nothing', () => {
  expect(hasRung('no_reaction')).toBe(true)
  expect(hasRung('busy')).toBe(false)
  expect(hasRung(null)).toBe(false)
  expect(didNotReact({ opened: 'no', reason: 'no_reaction' })).toBe(true)
  expect(didNotReact({ opened: 'unknown', reason: 'no_reaction' })).toBe(false)
  expect(didNotReact({ opened: 'no', reason: 'busy' })).toBe(false)
})
