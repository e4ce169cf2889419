import { expect, it } from 'vitest'
import { inTurns } from './inTurns.ts'

it('takes the first of each owner, then the second of each', () => {
  expect(inTurns(['a1', 'a2', 'a3', 'b1', 'c1', 'b2'], text => text.charAt(0))).toEqual([
    ...['a1', 'b1', 'c1'],
    ...['a2', 'b2'],
    'a3',
  ])
})
