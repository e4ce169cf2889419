// What is said when a change of a member did not succeed.

import type { Failure } from '../client/client.ts'
import { useWords } from '../words/words.tsx'

/** The text for a failure: our own words for what is usual, else those of the API. */
export function useFailureWords(): (failure: Failure) => string {
  const { save } = useWords().member
  return ({ code, message }) => {
    if (code === 'network_error') return save.noAnswer
    if (code === 'plan_limit_reached') return save.limit
    return code === 'not_found' ? save.gone : message
  }
}
