import { expect, it } from 'vitest'
import { patienceMs, readPreference } from './preference.ts'

it('reads the known preferences, the first of each, and ignores the rest', () => {
  expect(readPreference(undefined)).toBeUndefined()
  expect(readPreference('respond-async')).toEqual({ isAsync: true, waitS: undefined })
  expect(readPreference('handling=lenient, Respond-Async ; x=1, WAIT="10", wait=20')).toEqual({
    isAsync: true,
    waitS: 10,
  })
  for (const ignored of [
    '',
    'wait',
    'wait=',
    'wait=-1',
    'wait=1.5',
    'wait=abc',
    `wait=${'9'.repeat(10)}`,
    ',;=,',
  ])
    expect(readPreference(ignored), ignored).toEqual({ isAsync: false, waitS: undefined })
})

it('waits for 50 s at most, and not at all where the answer must come at once', () => {
  expect(patienceMs(undefined)).toBe(50_000)
  expect(patienceMs(readPreference('wait=3'))).toBe(3_000)
  expect(patienceMs(readPreference('wait=600'))).toBe(50_000)
  expect(patienceMs(readPreference('respond-async'))).toBe(0)
  expect(patienceMs(readPreference('respond-async, wait=3'))).toBe(3_000)
})
