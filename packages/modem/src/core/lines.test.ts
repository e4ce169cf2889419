import { expect, it } from 'vitest'
import { readLine, voiceCallsIn } from './lines.ts'

it('takes the voice calls of a list, and neither data calls nor other lines', () => {
  const lines = ['+CLCC: 1,0,3,0,0', '+CLCC: 2,0,0,1,0', '+CLCC: one', '']
  expect(voiceCallsIn(lines)).toEqual([{ id: 1, outgoing: true, state: 3, voice: true }])
})

it('takes a row of data with a number for a call, because modems on LTE list calls so', () => {
  const lines = ['+CLCC: 1,0,3,1,0,"+40721000456",145', '+CLCC: 2,0,0,1,0,"",128', '+CLCC: 3,0,2,1,0,"+40']
  expect(voiceCallsIn(lines).map(({ id }) => id)).toEqual([1, 3])
})

it('leaves out rows that are known to be no calls, but never an outgoing call', () => {
  const lines = ['+CLCC: 9,1,0,0,0,"",129', '+CLCC: 1,0,3,0,0']
  expect(voiceCallsIn(lines, [9, 1]).map(({ id }) => id)).toEqual([1])
  expect(voiceCallsIn(lines).map(({ id }) => id)).toEqual([9, 1])
})

it.each([
  'UNDER-VOLTAGE POWER DOWN',
  'UNDER-VOLTAGE WARNNING POWER DOWN',
  'OVER-VOLTAGE WARNING POWER DOWN',
  'NORMAL POWER DOWN',
  'POWERED DOWN',
])('reads that the module powers down: %s', text => {
  expect(readLine(text)).toEqual({ kind: 'urc', urc: { urc: 'poweredDown', text } })
})

it.each([
  ['unreadable bytes', '¥µðAPé.n4 APë', true],
  ['more of them than a line holds', '¥'.repeat(5_000), true],
  ['an operator with letters of its own', '+COPS: 0,0,"Vodafóne"', false],
  ['a line that nobody knows', 'SOMETHING', false],
])('reads %s as garbled or not', (_, text, isGarbled) => {
  expect(readLine(text)).toMatchObject(
    isGarbled ? { kind: 'urc', urc: { urc: 'garbled' } } : { kind: 'text' },
  )
})

it.each([
  ['^DSCI: 1,0,7,0,10086,129,0', 3, null],
  ['^DSCI: 1,0,3,0,+40721000456,145', 0, null],
  ['^DSCI: 1,1,4,0,"",128', 4, null],
  // The other dialect, with and without quotes, and with more columns.
  ['^DSCI: 1,0,3,0,0,10086,129', 3, null],
  ['^DSCI: 1,0,2,0,0,10086,129,,,,0', 2, null],
  ['^DSCI: 1,0,6,0,0,"10086",129,,16,130', 6, 16],
  ['^DSCI: 1,0,6,0,0,"10086",129,,19,128,"",255', 6, 19],
])('reads %s as state %s, cause %s', (text, state, cause) => {
  expect(readLine(text)).toMatchObject({ kind: 'urc', urc: { urc: 'call', call: { state }, cause } })
})

it('reads a call to this modem that nobody took', () => {
  expect(readLine('MISSED_CALL: 11:53AM 08020866256')).toEqual({
    kind: 'urc',
    urc: { urc: 'caller', phoneNumber: '08020866256' },
  })
})
