import { expect, it } from 'vitest'
import { sayLack } from '../call/modemLack.ts'
import { sayTrouble } from '../call/modemTrouble.ts'
import { readBody } from '../validate.ts'

const random = 'A'.repeat(22)
const modem = {
  state: 'ready',
  model: 'SIM800L',
  operator: null,
  registration: 'home',
  signalDbm: -70,
  voltageMv: 4_000,
  trouble: null,
}
const beat = {
  online: true,
  connectionId: random,
  journalId: random,
  toReport: [],
  version: '9.0.0',
  uptimeS: 1,
  modem,
  queueLength: 0,
}

/** How an older cloud reads a message whose signature is valid. */
const read = (type: 'beat' | 'claim', body: object) =>
  readBody(
    { type, keyId: '0'.repeat(16), gatewayId: 'gw_x', body: JSON.stringify(body), signature: 's' },
    type,
  )

it('a beat may say what only a newer gateway knows, within bounds', () => {
  const newer = {
    state: 'updating',
    registration: 'emergency',
    trouble: 'antenna_missing',
    bands: ['5G'],
    firmware: 'R14.18',
    lacks: ['antenna_check'],
  }
  const said = { ...beat, modem: { ...modem, ...newer }, temperatureC: 40 }
  expect(read('beat', said)).toEqual({ ok: true, value: said })
  expect(read('beat', { ...beat, modem: { ...modem, trouble: 'x'.repeat(65) } }).ok).toBe(false)
  expect(read('beat', { ...beat, modem: { ...modem, state: undefined } }).ok).toBe(false)
  expect(sayTrouble('antenna_missing')).toBe('antenna_missing')
  expect(sayLack('antenna_check')).toBe('antenna_check')
  expect(sayLack('call_causes')).toBe('It does not say why a call ended.')
  expect(sayTrouble('constructor')).toBe('constructor')
  expect(sayTrouble('sim_missing')).toBe('There is no SIM card in the modem.')
})

it('a message that decides a call is read strictly', () => {
  expect(read('claim', { modemId: 'm', sinceBootMs: 1 }).ok).toBe(true)
  expect(read('claim', { modemId: 'm', sinceBootMs: 1, newer: true }).ok).toBe(false)
})
