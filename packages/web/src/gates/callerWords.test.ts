import { expect, it } from 'vitest'
import { en } from '../words/en.ts'
import { sayShortTurn, sayTurn } from './callerWords.ts'

const online = { isOnline: true, turn: 1, hasFailed: false }
const first = { mayCall: true, numberKnown: 'unknown', now: online } as const

it.each([
  ['the first in turn', first, 'Would call now', 'would call now'],
  [
    'the second',
    { ...first, now: { ...online, turn: 2 } },
    'Number 2 in turn, if the others do not call',
    'number 2 in turn',
  ],
  [
    'no turn, although it is online',
    { ...first, now: { ...online, turn: null } },
    'Would not call now',
    'would not call now',
  ],
  [
    'offline',
    { ...first, now: { ...online, isOnline: false, turn: null } },
    'Offline: would not call now',
    'offline',
  ],
  [
    'it may not call, also when it is offline',
    { ...first, mayCall: false, now: { ...online, isOnline: false, turn: null } },
    'May not call this gate',
    'may not call',
  ],
  [
    'its number is not known here',
    { ...first, numberKnown: 'no', now: { ...online, turn: null } } as const,
    'Its number is not known here: it does not call',
    'number not known here',
  ],
])('says whether a gateway would call: %s', (_, caller, says, short) => {
  expect([sayTurn(caller, en), sayShortTurn(caller, en)]).toEqual([says, short])
})

it('says why a gateway whose call failed waits', () => {
  const failed = { ...first, now: { ...online, hasFailed: true } }
  expect(sayTurn(failed, en)).toMatch('Would call now. One of its calls failed')
  expect(sayShortTurn(failed, en)).toBe('a call of it failed')
})
