// Fuzzing the API for some seconds; `fuzz.test.ts` does so for longer.

import { it } from 'vitest'
import { fuzz } from './fuzz.ts'

it('answers a few generated requests as the contract says', () => fuzz(3, 500))

it("answers a few generated requests to the dashboard's API in the same way", () => fuzz(5, 500, 'dashboard'))
