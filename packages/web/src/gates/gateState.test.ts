import type { GateFigures } from '@callgate/contract/app/appGateFigures'
import type { OpeningClass } from '@callgate/contract/call/openingClass'
import { type CallingGatewayState, callerOf } from '@callgate/contract/rest/gateHealth'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { expect, it } from 'vitest'
import { en } from '../words/en.ts'
import { exampleFigures, lastOpening as last } from './gateFigures.kit.ts'
import { asFarAs, badgeOf, sayGates, ticksShown } from './gateState.ts'
import type { Press } from './press.ts'

/** The newest opening has the id of `last`. */
const ticksOf = (...classes: OpeningClass[]) =>
  classes.map((kind, place) => ({
    openingId: place === classes.length - 1 ? last.id : `open_${place}`,
    class: kind,
  }))

const figures: GateFigures = { ...exampleFigures, ticks: ticksOf('opened') }

const ready: Press = { is: 'ready' }
const ended = (kind: Extract<Press, { is: 'ended' }>['class']): Press => ({
  is: 'ended',
  class: kind,
  reason: null,
  safeToRetry: false,
  readyAtMs: 0,
})

const badge = (
  given: Partial<GateFigures>,
  {
    caller = 'ready',
    isActive = true,
    press = ready,
  }: { caller?: CallingGatewayState; isActive?: boolean; press?: Press } = {},
) => badgeOf({ isActive }, { ...figures, ...given }, { caller, press, words: en }).word

const running = {
  last: { ...last, class: 'running', step: 'calling' },
  ticks: ticksOf('opened', 'running'),
} as const

it('shows the one state that counts most', () => {
  expect(badge({})).toBe('Ready')
  expect(badge({ calibration: 'none' })).toBe('Not calibrated')
  expect(badge({ calibration: 'none', misses: 2 })).toBe('Not reacting')
  expect(badge({ misses: 3 }, { caller: 'none' })).toBe('No gateway')
  expect(badge(running)).toBe('Calling')
  expect(badge(running, { isActive: false })).toBe('Switched off')
})

it('calls a gate ready only where its last call has opened it', () => {
  expect(badge({ ticks: ticksOf('opened', 'unknown', 'unknown', 'unknown') })).toBe('Not sure')
  expect(badge({ ticks: ticksOf('opened', 'probably_opened') })).toBe('Not sure')
  expect(badge({ ticks: ticksOf('opened', 'did_not_open') })).toBe('Did not open')
  expect(badge({ ticks: ticksOf('unknown', 'opened') })).toBe('Ready')
  // These place no call, so they say nothing about the gate.
  expect(badge({ ticks: ticksOf('opened', 'denied', 'not_called') })).toBe('Ready')
  expect(badge({ ticks: ticksOf('unknown', 'denied') })).toBe('Not sure')
})

it('does not show a gate as ready that was never called, or about which nothing could be read', () => {
  expect(badge({ last: null, ticks: [] })).toBe('Not tried')
  expect(badge({ ticks: ticksOf('denied') })).toBe('Not tried')
  expect(badge({ ticks: ticksOf(...Array<OpeningClass>(ticksShown).fill('denied')) })).toBe('Not sure')
  const unread = badgeOf({ isActive: true }, undefined, { caller: 'ready', press: ready, words: en })
  expect(unread.word).toBe('Not sure')
  expect(badge({}, { caller: 'not_known' })).toBe('Not sure')
})

it('believes what a person saw of the gate after its last call', () => {
  const ticks = ticksOf('unknown')
  expect(badge({ last: { ...last, class: 'unknown', seen: 'moving' }, ticks })).toBe('Ready')
  expect(badge({ last: { ...last, class: 'unknown', seen: 'still' }, ticks })).toBe('Did not open')
  expect(badge({ last: { ...last, class: 'opened', seen: 'still' } })).toBe('Did not open')
})

it('does not show a gate as ready whose gateway cannot call', () => {
  expect(badge({}, { caller: 'not_ready' })).toBe('Modem not ready')
})

it('shows the same step as the button, though the list was read earlier', () => {
  const press: Press = { is: 'running', sinceMs: 0, step: 'ringing' }
  expect(badge(running, { press })).toBe('Ringing')
  expect(badge({}, { press })).toBe('Ringing')
  expect(asFarAs(running.last, press).step).toBe('ringing')
  expect(asFarAs(last, press)).toBe(last)
  expect(asFarAs(running.last, ready).step).toBe('calling')
})

it('shows the end that the button shows, though the list says that the call runs', () => {
  expect(badge(running, { press: ended('opened') })).toBe('Ready')
  expect(badge(running, { press: ended('unknown') })).toBe('Not sure')
  expect(badge(running, { press: ended('did_not_open') })).toBe('Did not open')
  // The end of a press without a call does not change the earlier state.
  expect(badge({ ticks: ticksOf('unknown') }, { press: ended('not_called') })).toBe('Not sure')
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
  name = 'Home',
): Pick<GatewayView, 'name' | 'now'> => ({
  name,
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

it('reports who is online, and never that gates can be opened', () => {
  const gates = [{ id: figures.gateId, isActive: true }]
  const said = (gateways: Parameters<typeof sayGates>[0]['gateways'], misses = 0) =>
    sayGates({ figures: [{ ...figures, misses }], gates, gateways }, { words: en })
  expect(said([gateway('online')])).toBe('Home is online.')
  expect(said([gateway('online'), gateway('online', 'ready', 'Yard')])).toBe('2 gateways are online.')
  expect(said([gateway('online', 'sim_error')])).toBe(
    'Home is online. No modem is ready: no gate can be called now.',
  )
  expect(said([gateway('online')], 2)).toBe('Home is online. One gate does not react.')
  expect(said([gateway('offline')])).toBe('No gateway is online: no gate can be opened.')
  expect(said([])).toBe('There is no gateway yet: no gate can be opened.')
  // The gateways could not be read.
  expect(said(undefined)).toBe('')
})
