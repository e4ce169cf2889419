// An end is an opening only with a cause that a gate's reject leaves, and never where another program may have hung up.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cause, early, modes, rang, state, type Timed, token, verdictOf } from '../callFacts.kit.ts'
import type { CallFact } from './callFacts.ts'
import { rejectCauses } from './conclusion.ts'

const ringsFromMs = 5_000
const rungMs = fc.integer({ min: 1, max: 60_000 })
const profile = fc.record({
  mode: fc.constantFrom(...modes.filter(mode => mode !== 'ring')),
  learned: fc.boolean(),
  discriminating: fc.boolean(),
  silentAlerting: fc.boolean(),
  reactMinMs: fc.integer({ min: 0, max: 10_000 }),
  reactMaxMs: fc.integer({ min: 1_000, max: 60_000 }),
})
const models = ['SIM800L', 'A7670E-FASE', 'EG25-G']
/** The model of the modem, and how a call begins: with ringing, without, and where ringing is reported as an answer. */
const begun = fc.constantFrom<readonly [model: string, facts: readonly Timed[]]>(
  ...models.flatMap(model => [[model, rang] as const, [model, early] as const]),
  ['A7670E-FASE', [...early, state(ringsFromMs, 0)]],
)

const otherCause: fc.Arbitrary<CallFact> = fc.oneof(
  fc
    .integer({ min: 0, max: 127 })
    .filter(number => !rejectCauses.includes(number))
    .map(number => ({ fact: 'cause' as const, cause: number })),
  fc.constant({ fact: 'strangeCause' as const }),
)

it('takes no end for a reject where a reject does not leave its cause, with any token, in any window', () => {
  const anyToken = fc.constantFrom('BUSY', 'NO CARRIER', 'NO ANSWER', undefined)
  fc.assert(
    fc.property(begun, rungMs, anyToken, otherCause, profile, ([model, before], ms, said, why, over) => {
      const endMs = ringsFromMs + ms
      const signs = said === undefined ? [] : [token(endMs + 20, said)]
      const facts: readonly Timed[] = [...before, state(endMs, 6), ...signs, [endMs + 600, why]]
      const { opened, reason } = verdictOf(facts, over, model)
      expect(reason).not.toBe('rejected_after_ring')
      expect(opened).not.toBe('likely')
    }),
    { numRuns: 2_000 },
  )
})

it('takes no end for a reject where another program may have hung up: cause 16 and no token', () => {
  fc.assert(
    fc.property(begun, rungMs, profile, ([model, before], ms, over) => {
      const endMs = ringsFromMs + ms
      const { opened, reason } = verdictOf([...before, state(endMs, 6), cause(endMs + 600, 16)], over, model)
      expect(reason).not.toBe('rejected_after_ring')
      expect(opened).not.toBe('likely')
    }),
    { numRuns: 2_000 },
  )
})
