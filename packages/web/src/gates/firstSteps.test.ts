import { expect, it } from 'vitest'
import { type Happened, stepNames, stepsDone } from './firstSteps.ts'

const nothing: Happened = { gateways: [], gates: [], presses: [], members: [] }
const isNew = { callerNumber: null, now: { lastHeardAt: null } }
const heard = { callerNumber: null, now: { lastHeardAt: '2026-03-20T08:00:00.000Z' } }
const byUser = { kind: 'user', id: 'user_1' } as const
const press = { class: 'opened', seen: null, by: byUser } as const

const cases: readonly (readonly [string, Partial<Happened>, string])[] = [
  ['nothing but the Space', {}, 'space'],
  ['a gateway that was never heard', { gateways: [isNew] }, 'space'],
  ['a gateway that was heard', { gateways: [isNew, heard] }, 'space gateway'],
  ['a number that was typed', { gateways: [{ ...isNew, callerNumber: '+40740000333' }] }, 'space number'],
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
