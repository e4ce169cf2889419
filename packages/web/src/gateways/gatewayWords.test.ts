// The texts of a gateway's page about its modem, and about its online time.

import { expect, it } from 'vitest'
import { gatewayOf } from '../client/spaceData.kit.ts'
import { en } from '../words/en.ts'
import { ro } from '../words/ro.ts'
import { sayGaps, sayLacks, sayModem, sayOnline, simOf, simState } from './gatewayWords.ts'

const modem = {
  state: 'ready',
  model: 'L850-GL',
  firmware: '18500.5001.00',
  lacks: [
    { word: 'call_causes', says: 'It does not say why a call ended.' },
    // A newer gateway may send a word that the dashboard does not know.
    { word: 'antenna_check', says: 'antenna_check' },
  ],
  operator: null,
  registration: 'home',
  signalDbm: null,
  supplyMv: null,
  trouble: null,
}

it('names the model and its firmware, as far as they are known', () => {
  expect(sayModem(modem)).toBe('L850-GL, 18500.5001.00')
  expect(sayModem({ ...modem, firmware: null })).toBe('L850-GL')
  expect(sayModem(null)).toBe('–')
})

it('names in the reader’s language what the modem lacks', () => {
  expect(sayLacks(modem.lacks, en)).toBe('It does not say why a call ended. antenna_check')
  expect(sayLacks(modem.lacks, ro)).toBe('Nu spune de ce s-a încheiat un apel. antenna_check')
})

it.each([
  ['Works', { state: 'ready' }],
  ['Works', { state: 'calling', registration: 'roaming' }],
  ['No network', { state: 'no_network' }],
  ['No network', { state: 'ready', registration: 'searching' }],
  ['Does not work', { state: 'sim_error' }],
  ['Not known', { state: 'starting' }],
] as const)('says of a SIM card whether it works: %s with %j', (word, given) => {
  const reader = { words: en } as Parameters<typeof simState>[1]
  const now = { ...gatewayOf().now, modem: { ...modem, ...given } }
  expect(simState({ now }, reader).word).toBe(word)
  // A warning about its credit or its last day changes nothing but that it works well.
  expect(simState({ now }, reader, true).word).toBe(word === 'Works' ? 'Still works' : word)
  // What an offline gateway said last may not hold any more.
  expect(simState({ now: { ...now, state: 'offline' } }, reader).word).toBe('Not known')
})

it('reports a working SIM card only once the modem has read it', () => {
  expect(['ready', 'calling', 'no_network'].map(simOf)).toEqual(['ready', 'ready', 'ready'])
  expect(simOf('sim_error')).toBe('broken')
  expect(['starting', 'lost', 'a newer word'].map(simOf)).toEqual(['notKnown', 'notKnown', 'notKnown'])
})

const from = '2026-03-20T12:00:00.000Z'

/** A history of one minute, half of which has passed. */
const historyOf = (onlineS: number | null) => ({
  from,
  to: '2026-03-20T12:00:30.000Z',
  stepS: 60,
  onlineS: [onlineS],
  signalDbm: [null],
  supplyMv: [null],
  registration: [null],
  calls: [],
  hasMoreCalls: false,
  onlineTotalS: onlineS ?? 0,
  sinceS: 30,
})
const reader = {
  words: en,
  times: { locale: 'en-GB', zone: 'Europe/Bucharest' },
  nowMs: Date.parse(from),
  userId: 'user_1',
}

it('claims no online share for a gateway that was never heard in the time', () => {
  expect(sayOnline(historyOf(null), reader)).toEqual({ share: '–', gaps: 'not known' })
  expect(sayGaps(historyOf(null), reader)).toBe('Nothing is known of this time.')
  expect(sayOnline(historyOf(30), reader)).toEqual({ share: expect.stringMatching(/^100/), gaps: 'no gap' })
})
