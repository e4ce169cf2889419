// What is said when a change of a member did not succeed.

import type { Failure } from '../client/client.ts'
import { useWords } from '../words/words.tsx'
import { sayRefusal } from './memberWords.ts'

/** The text for a failure: our own words for what is usual, else those of the API. `gateNames` are those of the sent accesses. */
export function useFailureWords(gateNames: readonly string[] = []): (failure: Failure) => string {
  const words = useWords()
  const { save } = words.member
  return ({ code, message }) => {
    if (code === 'validation_error') return sayRefusal(message, gateNames, words)
    if (code === 'network_error') return save.noAnswer
    if (code === 'plan_limit_reached') return save.limit
    return code === 'not_found' ? save.gone : message
  }
}
