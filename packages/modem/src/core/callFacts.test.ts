import { expect, it } from 'vitest'
import { factsOfUrc } from './callFacts.ts'

it.each([
  [0, false],
  [1, true],
  [2, false],
  [5, true],
])('a registration of %i is on the network: %s', (stat, isRegistered) => {
  expect(factsOfUrc({ urc: 'registration', stat })).toEqual([{ fact: 'registration', isRegistered }])
})
