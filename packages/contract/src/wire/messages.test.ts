import { expect, it } from 'vitest'
import { CallProfile, callModes } from '../call/callProfile.ts'
import { sayLack } from '../call/modemLack.ts'
import { sayTrouble } from '../call/modemTrouble.ts'
import { readBody } from '../validate.ts'
import { Grant } from './messages.ts'

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

it('allows unknown fields in a beat, within limits', () => {
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

it('rejects unknown fields in a message that decides a call', () => {
  expect(read('claim', { modemId: 'm', sinceBootMs: 1 }).ok).toBe(true)
  expect(read('claim', { modemId: 'm', sinceBootMs: 1, newer: true }).ok).toBe(false)
})

/**
 * The fields of a grant that every packaged gateway can read. A gateway drops a grant with any other field and makes no call, so
 * new fields may be sent only to gateways whose beats say that they know them (docs/exchange.md).
 */
const sinceFirstPackage = {
  members: ['granted', 'phoneNumber', 'callProfile', 'granted', 'reason'],
  profile: [
    ...[
      'mode',
      'callerId',
      'setupTimeoutMs',
      'maxRingMs',
      'ringHangupMs',
      'ringTimeMs',
      'reactMinMs',
      'reactMaxMs',
    ],
    ...[
      'holdMs',
      'answerNotAfterMs',
      'silentAlerting',
      'rejectDiverts',
      'coolDownMs',
      'learned',
      'discriminating',
    ],
    ...['noAnswerOpens', 'confirm'],
  ],
  modes: ['reject', 'reject_delayed', 'answer_release', 'answer_hold', 'ring', 'unverified'],
  callerIds: ['show', 'show_forced', 'hide'],
  confirmations: ['sms', 'callback'],
  confirmation: ['kind', 'from', 'pattern', 'withinMs'],
  refusals: ['refused', 'expired', 'already_granted', 'superseded'],
}

it('puts nothing into a grant that an older gateway would reject', () => {
  const [granted, refused] = Grant.anyOf
  const { callerId, confirm } = CallProfile.properties
  const [confirmation] = confirm.anyOf
  const wordsOf = (schema: object) => ('enum' in schema ? schema.enum : undefined)
  expect({
    members: [...Object.keys(granted.properties), ...Object.keys(refused.properties)],
    profile: Object.keys(CallProfile.properties),
    modes: callModes,
    callerIds: wordsOf(callerId),
    confirmations: wordsOf(confirmation.properties.kind),
    confirmation: Object.keys(confirmation.properties),
    refusals: wordsOf(refused.properties.reason),
  }).toEqual(sinceFirstPackage)
})
