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

it.each([true, false])('a data call is no fact of our call (outgoing: %s)', outgoing => {
  const call = { id: 1, state: 0, outgoing, voice: false }
  expect(factsOfUrc({ urc: 'call', call, cause: 16 })).toEqual([])
})
