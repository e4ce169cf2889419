// Fuzzing of the API for some seconds; `fuzz.test.ts` does it for longer.

import { it } from 'vitest'
import { fuzz } from './fuzz.ts'

it('answers a few generated requests as the contract declares', () => fuzz(3, 500))

it("answers a few generated requests to the dashboard's API in the same way", () =>
  fuzz(13, 500, 'dashboard'))
