import { expect, it } from 'vitest'
import { sayNumber } from './number.ts'

it('groups a number behind its calling code', () => {
  expect(sayNumber('+40722987654')).toBe('+40 722 987 654')
  expect(sayNumber('+14155550100')).toBe('+1 415 555 0100')
  expect(sayNumber('+373692345678')).toBe('+373 692 345 678')
  expect(sayNumber('+4915112345678')).toBe('+49 151 123 456 78')
  expect(sayNumber('+447700900200')).toBe('+44 7700 900200')
  expect(sayNumber('+33612345678')).toBe('+33 6 12 34 56 78')
})

it('leaves a text that is no such number', () => {
  expect(['0722 987 654', '+40 722 987 654', '', '*100#'].map(sayNumber)).toEqual([
    '0722 987 654',
    '+40 722 987 654',
    '',
    '*100#',
  ])
})
