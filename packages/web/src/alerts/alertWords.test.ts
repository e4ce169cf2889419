import type { Incident } from '@callgate/contract/app/incident'
import { expect, it } from 'vitest'
import { en } from '../words/en.ts'
import { ro } from '../words/ro.ts'
import { firstOf, pageOf, saySince, sayWhat, toneOf } from './alertWords.ts'

const incident = (more: Partial<Incident> = {}): Incident => ({
  id: 'inc_1',
  kind: 'gateway_offline',
  target: { type: 'gateway', id: 'gw_1', name: 'Attic' },
  seenAt: '2026-01-05T12:00:00.000Z',
  openedAt: '2026-01-05T12:05:00.000Z',
  closedAt: null,
  figure: null,
  ...more,
})
const readerOf = (words: typeof en) => ({
  words,
  times: { locale: words.locale, zone: 'Europe/Bucharest' },
  nowMs: Date.parse('2026-01-05T13:00:00.000Z'),
})

it('shows what is wrong and since when, and uses the past tense for what is over', () => {
  const over = incident({ closedAt: '2026-01-05T12:30:00.000Z' })
  expect(sayWhat(incident(), readerOf(en))).toBe('Attic is offline')
  expect(sayWhat(over, readerOf(en))).toBe('Attic was offline')
  expect(sayWhat(over, readerOf(ro))).toBe('Attic a fost offline')
  expect(saySince(incident(), readerOf(en))).toBe('Since 14:00.')
  // The gateway no longer exists.
  expect(sayWhat(incident({ target: { type: 'gateway', id: 'gw_1', name: null } }), readerOf(en))).toBe(
    'gw_1 is offline',
  )
})

it('leads to the gateway, the gate or the members', () => {
  const of = (type: Incident['target']['type'], id: string) =>
    pageOf(incident({ target: { type, id, name: null } }), 'space_1')
  expect(of('gateway', 'gw_1')).toBe('/spaces/space_1/gateways/gw_1')
  expect(of('gate', 'gate_1')).toBe('/spaces/space_1/gates/gate_1')
  expect(of('space', 'space_1')).toBe('/spaces/space_1/members')
  expect(toneOf(incident())).toBe('shut')
  expect(toneOf(incident({ kind: 'signal_low' }))).toBe('look')
})

it('shows one more instead of a line about one more', () => {
  const some = (count: number) => new Array<Incident>(count).fill(incident())
  expect(firstOf(some(4), 3)).toMatchObject({ more: 0 })
  expect(firstOf(some(4), 3).shown).toHaveLength(4)
  expect(firstOf(some(5), 3)).toMatchObject({ more: 2 })
  expect(firstOf(some(5), 3).shown).toHaveLength(3)
  expect(firstOf([], 3)).toEqual({ shown: [], more: 0 })
})
