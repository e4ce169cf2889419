// Fuzzing the API: no generated request gets an answer that the contract does not declare, and none gets a 500.

import { it } from 'vitest'
import { fuzz } from './fuzz.ts'

it.each([1, 2])(
  'answers 25,000 generated requests of seed %i as the contract says, and never with a 500',
  seed => fuzz(seed, 25_000),
  600_000,
)
