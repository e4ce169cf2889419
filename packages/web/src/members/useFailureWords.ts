// The text for a failed change of a member.

import type { Failure } from '../client/client.ts'
import { sayProblem } from '../words/problems.ts'
import { useWords } from '../words/words.tsx'
import { gateBefore, sayRefusal } from './memberWords.ts'

/** The text for a failure: our own for the usual ones, else that of the API. `gateNames` are those of the sent accesses. */
export function useFailureWords(gateNames: readonly string[] = []): (failure: Failure) => string {
  const words = useWords()
  const { save } = words.member
  const own = { network_error: save.noAnswer, plan_limit_reached: save.limit, not_found: save.gone }
  return failure =>
    failure.code === 'validation_error'
      ? sayProblem({ ...failure, message: sayRefusal(failure.message, gateNames, words) }, words, {}, field =>
          gateBefore(field, gateNames, words),
        )
      : sayProblem(failure, words, own)
}
