import { expect, it } from 'vitest'
import { hundredthsOf } from './typedAmount.ts'

it('reads amounts in the usual notations', () => {
  expect(['5', '5.5', '5,50', ' 0,05 '].map(hundredthsOf)).toEqual([500, 550, 550, 5])
  expect(['', 'five', '-1', '5.555', '1234567'].map(hundredthsOf)).toEqual(Array(5).fill(undefined))
})
