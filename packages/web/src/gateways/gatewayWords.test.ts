// What the page of a gateway says of its modem.

import { expect, it } from 'vitest'
import { en } from '../words/en.ts'
import { ro } from '../words/ro.ts'
import { sayLacks, sayModem } from './gatewayWords.ts'

const modem = {
  state: 'ready',
  model: 'L850-GL',
  firmware: '18500.5001.00',
  lacks: [
    { word: 'call_causes', says: 'It does not say why a call ended.' },
    // A newer gateway may say a word that the dashboard does not know.
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

it('says in the reader’s language what the modem lacks', () => {
  expect(sayLacks(modem.lacks, en)).toBe('It does not say why a call ended. antenna_check')
  expect(sayLacks(modem.lacks, ro)).toBe('Nu spune de ce s-a încheiat un apel. antenna_check')
})
