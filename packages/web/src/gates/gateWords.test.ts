import type { GateFigures } from '@callgate/contract/app/appGateFigures'
import { type OpeningClass, openingClasses } from '@callgate/contract/call/openingClass'
import { expect, it } from 'vitest'
import { en } from '../words/en.ts'
import { ro } from '../words/ro.ts'
import { exampleFigures as figures, lastOpening as last } from './gateFigures.kit.ts'
import {
  type Reader,
  sayCause,
  sayLast,
  sayShortTicks,
  sayTicks,
  sayWhat,
  sayWhen,
  sayWho,
} from './gateWords.ts'

const at = (ms: number): Reader => ({
  words: en,
  times: { locale: 'en-GB', zone: 'Europe/Bucharest' },
  nowMs: Date.parse(last.calledAt) + ms,
  userId: 'user_1',
})
const minute = 60_000
const day = 24 * 60 * minute

const mine = { ...last, by: { kind: 'user', id: 'user_1' } } as const

it('names the presser', () => {
  expect(sayWho(last, at(0))).toBe('Ana Pop, by link')
  expect(sayWho(mine, at(0))).toBe('You')
  expect(sayWho({ ...last, by: { kind: 'user', id: 'user_2' } }, at(0))).toBe('Ana Pop, here')
  const key = { by: { kind: 'key', id: null }, openedBy: { ...last.openedBy, name: 'api:Desk' } } as const
  expect(sayWho(key, at(0))).toBe('Desk (API)')
})

it('shows the result and the time of the last opening', () => {
  const said = (ms: number, given: Partial<GateFigures> = {}) => sayLast({ ...figures, ...given }, at(ms))
  expect(said(20_000)).toEqual(['The gate took the call', 'Ana Pop, by link, just now'])
  expect(said(59_000)[1]).toBe('Ana Pop, by link, just now')
  expect(said(5 * minute)).toEqual(['Opened 5\u00a0min ago', 'Ana Pop, by link'])
  expect(said(120 * minute)[0]).toBe('Opened at 18:04')
  expect(said(day)).toEqual(['Opened yesterday', '18:04, Ana Pop, by link'])
  expect(said(9 * day)[0]).toBe('Opened on 27 March')
  const running = { ...mine, class: 'running', step: 'ringing', completedAt: null } as const
  // The button counts the seconds.
  expect(said(6_000, { last: running })).toEqual(['You, just now', 'usually takes 8 s'])
  expect(said(2 * minute, { last: running })[0]).toBe('You, 2\u00a0min ago')
  expect(said(0, { last: null })[0]).toBe('Not called yet')
  expect(sayLast(undefined, at(0))).toEqual(['The last opening is not known', ''])
  const miss = { ...last, class: 'did_not_open', reason: 'no_reaction' } as const
  expect(said(5 * minute, { last: miss, misses: 3 })[0]).toBe('Did not react, 3 times in a row')
  expect(said(5 * minute, { last: miss, misses: 3 })[1]).toBe('Last: Ana Pop, by link, 18:04')
  expect(said(day, { last: miss, misses: 3 })[1]).toBe('Last: Ana Pop, by link, yesterday')
  expect(said(9 * day, { last: miss, misses: 3 })[1]).toBe('Last: Ana Pop, by link, 27 March')
  // Its cause is on the page of the gate.
  expect(said(5 * minute, { last: miss, misses: 1 })[0]).toBe(
    'Did not open: it rang and nothing took the call',
  )
})

it('shows the cause, except for an opening that succeeded', () => {
  expect(sayWhat(last, at(0))).toBe('Opened')
  expect(sayWhat({ class: 'denied', reason: 'outside_schedule', step: null }, at(0))).toBe(
    'Denied: outside hours',
  )
  expect(sayWhat({ class: 'unknown', reason: 'no_report', step: null }, at(0))).toBe(
    'Unknown: the gateway has not reported',
  )
  const rejected = { class: 'unknown', reason: 'rejected', step: null } as const
  expect(sayWhat({ ...rejected, seen: 'still' }, at(0))).toMatch('Unknown: the gate rejected the call')
  expect(sayWhat({ ...rejected, seen: 'moving' }, at(0))).toBe('Unknown')
})

it('keeps the possible cause out of the result, and says it as a sentence of its own', () => {
  const missed = { class: 'did_not_open', reason: 'no_reaction', step: null } as const
  expect(sayWhat(missed, at(0))).toBe('Did not open: it rang and nothing took the call')
  expect(sayCause('no_reaction', en)).toBe('Its module may not know the number.')
  expect(sayCause('no_reaction', ro)).toBe('Poate modulul nu cunoaște numărul.')
  expect(sayCause('busy', en)).toBeUndefined()
  expect(sayCause(null, en)).toBeUndefined()
})

it('says “just now” for the first minute', () => {
  const said = (ms: number) => sayWhen(last.calledAt, at(ms))
  expect([0, 59_999, minute, 119_000].map(said)).toEqual([
    'just now',
    'just now',
    '1\u00a0min ago',
    '1\u00a0min ago',
  ])
  // The clock of the browser is behind.
  expect(said(-5_000)).toBe('just now')
})

const counted = (counts: Partial<Record<OpeningClass, number>>) =>
  openingClasses.flatMap(kind => Array.from({ length: counts[kind] ?? 0 }, () => kind))

it('describes the ticks in words', () => {
  const ticks = counted({ opened: 2, did_not_open: 1, not_called: 1, unknown: 1, denied: 1, running: 1 })
  expect(sayTicks(ticks, at(0))).toBe('2 opened, 2 did not open, 1 unknown, 1 denied')
  expect(sayTicks([], at(0))).toBe('none yet')
})

it.each<[Parameters<typeof counted>[0], string]>([
  [{}, ''],
  [{ running: 1 }, ''],
  [{ opened: 23 }, '23 opened'],
  [{ probably_opened: 4 }, '4 probably opened'],
  [{ opened: 11, not_called: 1 }, '11 opened, 1 did not open'],
  [{ opened: 20, did_not_open: 3, unknown: 1 }, '20 opened, 3 did not open, 1 unknown'],
  [{ opened: 2, probably_opened: 1, unknown: 1 }, '2 opened, 1 probably opened, 1 unknown'],
  [{ probably_opened: 20, did_not_open: 3, denied: 1 }, '20 probably, 3 did not open, 1 other'],
  [{ did_not_open: 2, unknown: 1, denied: 1 }, '2 did not open, 1 unknown, 1 denied'],
  [{ opened: 9, did_not_open: 3, unknown: 2, denied: 1 }, '9 opened, 3 did not open, 3 others'],
  [{ opened: 9, probably_opened: 1, unknown: 2, denied: 1 }, '9 opened, 2 unknown, 2 others'],
])('says on one line of a card what opened and what did not: %j', (counts, says) => {
  expect(sayShortTicks(counted(counts), at(0))).toBe(says)
})

it.each([
  ['English', en],
  ['Romanian', ro],
])('has room for every line of ticks in %s', (_, words) => {
  const kinds = openingClasses.filter(kind => kind !== 'running' && kind !== 'not_called')
  const longest = Array.from({ length: 2 ** kinds.length }, (_, choice) => {
    const chosen = kinds.filter((_, place) => choice & (1 << place))
    const ticks = chosen.flatMap((kind, place) => Array.from({ length: place < 2 ? 10 : 2 }, () => kind))
    return sayShortTicks(ticks, { ...at(0), words }).length
  })
  // As many letters of 13 pixels as the narrowest card has room for.
  expect(Math.max(...longest)).toBeLessThanOrEqual(41)
})
