import { expect, it } from 'vitest'
import { gateHealth } from './gateHealth.ts'

const good = { misses: 1, calibration: 'measured' } as const

it.each([
  ['none', { misses: 9, calibration: 'none' }, 'offline'],
  ['not_ready', good, 'offline'],
  ['ready', { misses: 2, calibration: 'none' }, 'not_reacting'],
  ['ready', { misses: 1, calibration: 'none' }, 'unverified'],
  ['ready', { misses: 0, calibration: 'declared' }, 'ready'],
  ['ready', good, 'ready'],
  ['not_known', undefined, 'ready'],
] as const)('of a gate with the caller %s and %j is %s', (caller, figures, health) => {
  expect(gateHealth(caller, figures)).toBe(health)
})
