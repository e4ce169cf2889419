import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { expect, it } from 'vitest'
import {
  gatewayOfSteps,
  type Happened,
  hasOpened,
  hasSurelyOpened,
  stepNames,
  stepsDone,
} from './firstSteps.ts'

const nothing: Happened = { gateways: [], gates: [], isNumberKnown: false, presses: [], members: [] }
const isNew = { now: { lastHeardAt: null, state: 'new' } } as const
/** The gateway of a sandbox. */
const isPretend = { now: { lastHeardAt: null, state: 'online' } } as const
const heard = { now: { lastHeardAt: '2026-03-20T08:00:00.000Z', state: 'offline' } } as const
const byUser = { kind: 'user', id: 'user_1' } as const
const press = { class: 'opened', seen: null, by: byUser } as const

const cases: readonly (readonly [string, Partial<Happened>, string])[] = [
  ['nothing but the Space', {}, 'space'],
  ['a gateway that was never heard', { gateways: [isNew] }, 'space'],
  ['a gateway that was heard', { gateways: [isNew, heard] }, 'space gateway'],
  ['the gateway of a sandbox', { gateways: [isPretend] }, 'space gateway'],
  ['a number of which somebody said that the module has it', { isNumberKnown: true }, 'space number'],
  ['a gate', { gates: [{}] }, 'space gate'],
  ['a press of which nobody knows', { presses: [{ ...press, class: 'unknown' }] }, 'space'],
  [
    'a gate that was seen moving',
    { presses: [{ ...press, class: 'unknown', seen: 'moving' }] },
    'space number call',
  ],
  ['a gate that probably opened', { presses: [{ ...press, class: 'probably_opened' }] }, 'space number call'],
  [
    'a gate that opened by a key',
    { presses: [{ ...press, by: { kind: 'key', id: null } }] },
    'space number call link',
  ],
  ['a member', { members: [{}] }, 'space link'],
]

it.each(cases)('ticks after %s', (_, happened, done) => {
  const steps = stepsDone({ ...nothing, ...happened })
  expect(stepNames.filter(name => steps[name]).join(' ')).toBe(done)
})

it('distinguishes an opening that was seen or heard from one that is assumed', () => {
  const assumed = { class: 'probably_opened', seen: null } as const
  expect([hasOpened(assumed), hasSurelyOpened(assumed)]).toEqual([true, false])
  expect(hasSurelyOpened({ ...assumed, seen: 'moving' })).toBe(true)
  expect(hasSurelyOpened(press)).toBe(true)
})

it('uses the gateway that is online, else one that was heard', () => {
  const named = (name: string, state: 'new' | 'offline' | 'online') => ({
    name,
    now: { state, lastHeardAt: state === 'new' ? null : '2026-03-20T08:00:00.000Z' } as GatewayView['now'],
  })
  const [lost, away, there] = [named('lost', 'new'), named('away', 'offline'), named('there', 'online')]
  expect(gatewayOfSteps([lost, away, there])?.name).toBe('there')
  expect(gatewayOfSteps([lost, away])?.name).toBe('away')
  expect(gatewayOfSteps([lost])?.name).toBe('lost')
  expect(gatewayOfSteps([])).toBeUndefined()
})
