import { expect, it } from 'vitest'
import { gatewayChange } from './gatewayChange.ts'

const modem = {
  state: 'ready',
  model: 'SIM800L',
  operator: 'Orange RO',
  registration: 'home',
  signalDbm: -71,
  voltageMv: 4_000,
  trouble: null,
} as const
const beat = (more: object = {}, online = true) => ({ online, modem: { ...modem, ...more } })

it('is no change where only figures differ, or a call begins or ends', () => {
  for (const more of [
    {},
    { signalDbm: -99 },
    { voltageMv: 3_400 },
    { state: 'calling' },
    { trouble: undefined },
  ])
    expect(gatewayChange(beat(), beat(more), true), JSON.stringify(more)).toBeUndefined()
  expect(gatewayChange(beat({ state: 'calling' }), beat(), true)).toBeUndefined()
})

it('is a change where the modem, its network or its trouble differs', () => {
  for (const more of [
    { state: 'lost' },
    { registration: 'roaming' },
    { operator: null },
    { trouble: 'sim_missing' },
  ])
    expect(gatewayChange(beat(), beat(more), true), JSON.stringify(more)).toBe('changed')
})

it('is online or offline where the state before was the other one, whatever else the beat says', () => {
  expect(gatewayChange(undefined, beat(), false)).toBe('online')
  expect(gatewayChange(beat({ state: 'lost' }), beat(), false)).toBe('online')
  expect(gatewayChange(beat(), beat({ state: 'lost' }, false), true)).toBe('offline')
  expect(gatewayChange(beat(), beat({ state: 'lost' }, false), false)).toBeUndefined()
})
