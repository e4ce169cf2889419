// Fuzzing of the API: no generated request gets an undeclared answer, and none gets a 500.

import { it } from 'vitest'
import { seedsOf } from '../../seedsOf.ts'
import { fuzz } from './fuzz.ts'

it.each(seedsOf('FUZZ', ['1:3000', '2:3000']))(
  'answers generated requests as the contract declares, and never with a 500 (seed %i, %i requests)',
  (seed, count) => fuzz(seed, count),
  600_000,
)

it.each(seedsOf('FUZZ', ['4:3000']))(
  "answers generated requests to the dashboard's API in the same way (seed %i, %i requests)",
  (seed, count) => fuzz(seed, count, 'dashboard'),
  600_000,
)
