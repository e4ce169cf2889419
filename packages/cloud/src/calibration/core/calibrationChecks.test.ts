import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { expect, it } from 'vitest'
import { calibrationChecks } from './calibrationChecks.ts'

type Now = GatewayView['now']

const modem: NonNullable<Now['modem']> = {
  state: 'ready',
  model: 'SIM800C',
  firmware: null,
  lacks: [],
  operator: 'Orange RO',
  registration: 'home',
  signalDbm: -71,
  supplyMv: 4_020,
  trouble: null,
}

function gateway(name: string, modemSays: Partial<typeof modem> | null = {}, state: Now['state'] = 'online') {
  const now: Now = {
    state,
    since: null,
    cutOffUntil: null,
    lastHeardAt: null,
    version: null,
    uptimeS: null,
    queueLength: null,
    toReport: null,
    tooOld: null,
    modem: modemSays && { ...modem, ...modemSays },
  }
  const id = `gw_${name.toLowerCase()}`
  return { id, name, callerNumber: null, enrolledAt: '', revokedAt: null, publicKey: '', now }
}

const warningsAt = (says: Partial<typeof modem>) => calibrationChecks([gateway('Attic', says)], {}).warnings

it('finds no fault of a working gateway', () => {
  expect(calibrationChecks([gateway('Attic')], {})).toEqual({
    gateway: { id: 'gw_attic', name: 'Attic' },
    warnings: [],
  })
  expect(warningsAt({ state: 'calling', registration: 'roaming', signalDbm: -93, supplyMv: null })).toEqual(
    [],
  )
})

it.each<[string, Partial<typeof modem>]>([
  ['not_registered', { state: 'no_network', registration: 'searching', signalDbm: null }],
  ['not_registered', { registration: 'denied' }],
  ['modem_not_ready', { state: 'starting' }],
  ['modem_not_ready', { state: 'sim_error', trouble: { word: 'sim_puk', says: '' } }],
  ['number_hidden', { trouble: { word: 'caller_id_hidden', says: '' } }],
  ['number_not_told', { lacks: [{ word: 'caller_id', says: '' }] }],
  ['signal_weak', { signalDbm: -95 }],
  ['signal_unknown', { signalDbm: null }],
  ['supply_low', { supplyMv: 3_499 }],
])('warns only of %s at %j', (word, says) => {
  expect(warningsAt(says)).toEqual([word])
})

it('names all faults', () => {
  const says = { trouble: { word: 'caller_id_hidden', says: '' }, signalDbm: -105, supplyMv: 3_400 }
  expect(warningsAt(says)).toEqual(['number_hidden', 'signal_weak', 'supply_low'])
})

it('checks the gateway that a press would ask first', () => {
  const gateways = [gateway('Attic', {}, 'offline'), gateway('Yard'), gateway('Cellar', { signalDbm: -105 })]
  expect(calibrationChecks(gateways, {}).gateway?.name).toBe('Yard')
  const known = { gw_cellar: { mayCall: true, numberKnown: 'yes' } } as const
  expect(calibrationChecks(gateways, known)).toMatchObject({
    gateway: { name: 'Cellar' },
    warnings: ['signal_weak'],
  })
  const nobody = {
    gw_yard: { mayCall: false, numberKnown: 'unknown' },
    gw_cellar: { mayCall: true, numberKnown: 'no' },
  } as const
  expect(calibrationChecks(gateways, nobody)).toEqual({ gateway: null, warnings: ['no_gateway'] })
})

it('does not report a gateway as ready that has said nothing about its modem', () => {
  expect(calibrationChecks([gateway('Attic', null)], {}).warnings).toEqual(['modem_not_ready'])
})
