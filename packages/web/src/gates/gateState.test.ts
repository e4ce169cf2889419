import type { GateFigures } from '@callgate/contract/app/appGateFigures'
import { type EndedCall, isSilent, outcomesOf } from '@callgate/contract/call/callOutcomes'
import type { OpeningClass } from '@callgate/contract/call/openingClass'
import { type CallingGatewayState, callerOf } from '@callgate/contract/rest/gateHealth'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { expect, it } from 'vitest'
import { en } from '../words/en.ts'
import { exampleFigures, lastOpening as last } from './gateFigures.kit.ts'
import { badgeOf } from './gateState.ts'

/** Figures after these openings, oldest first; `seen` after the last one. */
const after = (classes: readonly OpeningClass[], seen: EndedCall['seen'] = null): Partial<GateFigures> => ({
  outcomes: outcomesOf(
    classes
      .map((kind, place) => ({ class: kind, seen: place === classes.length - 1 ? seen : null }))
      .filter(({ class: kind }) => !isSilent(kind)),
  ),
})

const badge = (
  given: Partial<GateFigures>,
  { caller = 'ready', isActive = true }: { caller?: CallingGatewayState; isActive?: boolean } = {},
) => badgeOf({ isActive }, { ...exampleFigures, ...given }, { caller, words: en }).word

const running = { last: { ...last, class: 'running', step: 'calling' } } as const

it('shows the one state that counts most', () => {
  expect(badge({})).toBe('Ready')
  expect(badge({ calibration: 'none' })).toBe('Not calibrated')
  expect(badge({ calibration: 'none', misses: 2 })).toBe('Not reacting')
  expect(badge({ misses: 3 }, { caller: 'none' })).toBe('No gateway')
  expect(badge(running)).toBe('Calling')
  expect(badge(running, { isActive: false })).toBe('Switched off')
})

it('calls a gate ready only where its last call has opened it', () => {
  expect(badge(after(['opened', 'unknown', 'unknown']))).toBe('Not sure')
  expect(badge(after(['opened', 'probably_opened']))).toBe('Not sure')
  expect(badge(after(['opened', 'did_not_open']))).toBe('Did not open')
  expect(badge(after(['unknown', 'opened']))).toBe('Ready')
  // These place no call, so they say nothing about the gate.
  expect(badge(after(['opened', 'denied', 'not_called']))).toBe('Ready')
  expect(badge(after(['unknown', 'denied']))).toBe('Not sure')
})

it('asks for another calibration where the last three calls say nothing', () => {
  expect(badge(after(['opened', 'unknown', 'unknown', 'unknown']))).toBe('Calibrate again')
  expect(badge({ ...after(['unknown', 'unknown', 'unknown']), calibration: 'none' })).toBe('Not calibrated')
  expect(badge(after(['unknown', 'unknown', 'unknown', 'opened']))).toBe('Ready')
})

it('does not show a gate as ready that was never called, or about which nothing could be read', () => {
  expect(badge(after([]))).toBe('Not tried')
  expect(badge(after(['denied']))).toBe('Not tried')
  // As many denials as the cloud looks through: what was before is not known.
  expect(badge({ outcomes: { ...outcomesOf([]), last: 'unknown' } })).toBe('Not sure')
  const unread = badgeOf({ isActive: true }, undefined, { caller: 'ready', words: en })
  expect(unread.word).toBe('Not sure')
  expect(badge({}, { caller: 'not_known' })).toBe('Not sure')
})

it('believes what a person saw of the gate after its last call', () => {
  expect(badge(after(['unknown'], 'moving'))).toBe('Ready')
  expect(badge(after(['unknown'], 'still'))).toBe('Did not open')
  expect(badge(after(['opened'], 'still'))).toBe('Did not open')
})

it('does not show a gate as ready whose gateway cannot call', () => {
  expect(badge({}, { caller: 'not_ready' })).toBe('Modem not ready')
})

const modem = {
  state: 'ready',
  model: null,
  firmware: null,
  lacks: [],
  operator: null,
  registration: 'home',
  signalDbm: null,
  supplyMv: null,
  trouble: null,
}
const gateway = (
  state: GatewayView['now']['state'],
  modemState: string | null = 'ready',
): Pick<GatewayView, 'now'> => ({
  now: {
    state,
    since: null,
    cutOffUntil: null,
    lastHeardAt: null,
    modem: modemState === null ? null : { ...modem, state: modemState },
    version: null,
    tooOld: null,
    uptimeS: null,
    queueLength: null,
    toReport: null,
  },
})

it('counts a gateway as a caller only where its modem reports that it is ready', () => {
  expect(callerOf(undefined)).toBe('not_known')
  expect(callerOf([])).toBe('none')
  expect(callerOf([gateway('offline'), gateway('revoked')])).toBe('none')
  expect(callerOf([gateway('online')])).toBe('ready')
  expect(callerOf([gateway('online', 'calling')])).toBe('ready')
  for (const state of ['starting', 'no_network', 'sim_error', 'lost', 'a newer word', null])
    expect(callerOf([gateway('online', state)])).toBe('not_ready')
  expect(callerOf([gateway('online', 'lost'), gateway('online')])).toBe('ready')
})
