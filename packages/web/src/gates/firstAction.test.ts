import type { GateFigures } from '@callgate/contract/app/appGateFigures'
import { noCalls, outcomesOf } from '@callgate/contract/call/callOutcomes'
import type { ReasonWord } from '@callgate/contract/call/reason'
import { expect, it } from 'vitest'
import { firstActionOf } from './firstAction.ts'
import { exampleFigures, lastOpening } from './gateFigures.kit.ts'

const opened: GateFigures = { ...exampleFigures, last: lastOpening }
const failed = (reason: ReasonWord, given: object = {}): Partial<GateFigures> => ({
  last: { ...lastOpening, class: 'did_not_open', reason, gatewayId: 'gw_1', ...given },
  outcomes: outcomesOf([{ class: 'did_not_open', seen: null }]),
})

const asked = { spaceId: 'space_1', isPlayed: false, caller: 'ready' } as const
const first = (given: Partial<GateFigures>, how: Partial<Parameters<typeof firstActionOf>[1]> = {}) => {
  const action = firstActionOf({ ...opened, ...given }, { ...asked, ...how })
  return action && [action.is, 'remedy' in action ? action.remedy : '', 'href' in action ? action.href : '']
}
const gate = `/spaces/space_1/gates/${lastOpening.gateId}`

it('is nothing where the last call has opened a gate that is calibrated', () => {
  expect(first({})).toBeUndefined()
  expect(firstActionOf(undefined, asked)).toBeUndefined()
})

it('is the remedy of the history after a failure', () => {
  expect(first(failed('bad_number'))).toEqual(['remedy', 'correctNumber', `${gate}#edit`])
  expect(first(failed('no_reaction'))).toEqual(['letIn', '', ''])
  expect(first(failed('no_reaction', { class: 'unknown' }))).toEqual(['letIn', '', ''])
  expect(first(failed('no_credit'))).toEqual(['remedy', 'credit', '/spaces/space_1/gateways/gw_1'])
  expect(first(failed('no_credit', { gatewayId: null }))).toEqual([
    'remedy',
    'credit',
    '/spaces/space_1/gateways',
  ])
  expect(first(failed('answered_unexpectedly'))).toEqual(['testCalls', '', `${gate}/calibration`])
})

it('is no look at a gateway once one is ready that was not there for the last press', () => {
  const last = { ...lastOpening, class: 'not_called', reason: 'gateway_offline', gatewayId: null } as const
  const look = ['remedy', 'gateway', '/spaces/space_1/gateways']
  expect(first({ last }, { caller: 'not_ready' })).toEqual(look)
  expect(first({ last })).toBeUndefined()
  // A call that was made and went wrong says something of the gateway that made it.
  expect(first({ last: { ...last, class: 'unknown', reason: 'no_report' } })).toEqual(look)
})

it('is no remedy where somebody saw the gate move, and none for a press of a member that was denied', () => {
  expect(first(failed('no_reaction', { seen: 'moving' }))).toBeUndefined()
  expect(first({ last: { ...lastOpening, class: 'denied', reason: 'outside_schedule' } })).toBeUndefined()
})

it('leads to the causes of a gate that does not react, where the reason names no remedy', () => {
  expect(first({ misses: 2 })).toEqual(['findCause', '', gate])
})

it('is the message for the module until a gate has opened or somebody said that the number is in its list', () => {
  const isNew = { last: null, outcomes: noCalls, isNumberKnown: false, calibration: 'none' } as const
  expect(first(isNew)).toEqual(['letIn', '', ''])
  expect(first({ ...isNew, isNumberKnown: true })).toEqual(['measure', '', `${gate}/calibration`])
  expect(first({ ...isNew, outcomes: outcomesOf([{ class: 'opened', seen: null }]) })?.[0]).toBe('measure')
  // A sandbox has no modules.
  expect(first(isNew, { isPlayed: true })?.[0]).toBe('measure')
})

it('is another calibration where the last three calls say nothing', () => {
  const call = { class: 'unknown', seen: null } as const
  expect(first({ outcomes: outcomesOf([call, call, call]) })).toEqual([
    'calibrateAgain',
    '',
    `${gate}/calibration`,
  ])
})
