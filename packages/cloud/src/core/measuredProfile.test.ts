import { callProfile } from '@callgate/contract/call/callProfile'
import { expect, it } from 'vitest'
import { type CallingGateway, profileFor } from './measuredProfile.ts'

const measurer: CallingGateway = { gatewayId: 'gw_1', modem: 'SIM800C', operator: 'Orange RO' }
const learned = { learned: true, discriminating: true, reactMinMs: 1_500, reactMaxMs: 9_000 } as const
const measured = callProfile({ mode: 'reject', rejectDiverts: true, ...learned })

it('holds whole for the gateway that measured it, with the same modem on the same network', () => {
  expect(profileFor(measured, measurer, measurer)).toBe(measured)
  expect(profileFor(measured, measurer, { ...measurer, modem: 'SIM800C 1418B07' })).toBe(measured)
  const unnamed = { ...measurer, modem: null, operator: null }
  expect(profileFor(measured, unnamed, unnamed)).toBe(measured)
})

it.each([
  ['another gateway', { gatewayId: 'gw_2' }],
  ['another modem', { modem: 'SIM7600E' }],
  ['another network', { operator: 'Vodafone RO' }],
  ['a modem that nobody knows', { modem: null }],
  ['a network that nobody knows', { operator: null }],
])('is not measured for %s, but keeps what the module does', (_, other) => {
  const profile = profileFor(measured, measurer, { ...measurer, ...other })
  expect(profile).toEqual({ ...measured, learned: false })
})

it('gives another gateway no times that were measured without ringing, nor the missing ringing itself', () => {
  const silent = { ...measured, silentAlerting: true }
  expect(profileFor(silent, measurer, measurer)).toBe(silent)
  expect(profileFor(silent, measurer, { ...measurer, gatewayId: 'gw_2' })).toEqual({
    ...measured,
    learned: false,
    reactMinMs: 0,
    reactMaxMs: 20_000,
  })
})

it('does not change a profile that was typed', () => {
  expect(profileFor(measured, undefined, measurer)).toBe(measured)
  const declared = callProfile({ mode: 'answer_hold', silentAlerting: true })
  expect(profileFor(declared, { ...measurer, gatewayId: 'gw_2' }, measurer)).toBe(declared)
})
