import { expect, it } from 'vitest'
import { readNumber } from './readNumber.ts'

it.each([
  ['0722 987 654', { number: '+40722987654', country: 'RO' }],
  ['+40 (722) 987-654', { number: '+40722987654', country: 'RO' }],
  ['0040722987654', { number: '+40722987654', country: 'RO' }],
  ['+44 20 7946 0018', { number: '+442079460018', country: 'GB' }],
  // A number of a film: no country of this calling code has it.
  ['+44 7700 900200', { number: '+447700900200', country: undefined }],
  ['+1 415 555 2671', { number: '+14155552671', country: 'US' }],
  ['+1 416 555 2671', { number: '+14165552671', country: 'CA' }],
])('reads %s in Romania', (typed, read) => {
  expect(readNumber(typed, 'RO')).toEqual(read)
})

it.each(['', '0722', 'call me', '+999 123 456 789', '07229876541234567'])(
  'reads no number in “%s”',
  typed => {
    expect(readNumber(typed, 'RO')).toBeUndefined()
  },
)
