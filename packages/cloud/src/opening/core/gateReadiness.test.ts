import { expect, it } from 'vitest'
import { endingUndialled, type OpeningRow } from '../../core/opening.ts'
import type { PressFacts } from '../../core/pressDecision.ts'
import { gateReadiness } from './gateReadiness.ts'

const free: Omit<PressFacts, 'accessId'> = {
  denied: undefined,
  holder: undefined,
  last: undefined,
  coolDownMs: 5_000,
  hasLostCall: false,
  isGatewayOnline: true,
}
const running = { status: 'initiated' } as OpeningRow
const over = { status: 'completed', reason: 'rejected', opened: 'yes', confidence: 'certain' } as OpeningRow

it.each([
  ['is ready where a gateway can call', free, true, undefined, undefined],
  ['names a modem that does not work', free, false, 'modem_not_ready', undefined],
  ['names a gateway that is away', { ...free, isGatewayOnline: false }, false, 'gateway_offline', undefined],
  ['names what the gate refuses', { ...free, denied: 'gate_inactive' }, true, 'gate_inactive', undefined],
  ['names a call that runs', { ...free, holder: running }, true, 'number_in_use', undefined],
  [
    'says how long a cool-down lasts',
    { ...free, last: { row: over, agoMs: 1_200 } },
    true,
    'number_in_use',
    3_800,
  ],
  ['is ready after a cool-down', { ...free, last: { row: over, agoMs: 5_000 } }, true, undefined, undefined],
  [
    'names a call that may run unseen, as a press does',
    { ...free, hasLostCall: true },
    true,
    endingUndialled('interrupted').reason,
    undefined,
  ],
] as const)('%s', (_, facts, isAble, reason, busyMs) => {
  expect(gateReadiness(facts, isAble)).toEqual({ reason, busyMs })
})
