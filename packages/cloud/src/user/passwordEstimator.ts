// Estimates how soon a password is guessed, by a list of 49,000 common ones in the package, without any network request.

import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

/** How many characters are checked: it takes 30 ms, in which nothing else runs. */
const most = 64

export interface PasswordEstimator {
  /** The number of guesses of an attacker who knows `parts`. */
  guesses(password: string, parts: readonly string[]): number
}

/** An estimator. Making one takes about 100 ms. */
export function createPasswordEstimator(): PasswordEstimator {
  const passwords = dictionary['passwords-common']
  const estimator = new ZxcvbnFactory({
    dictionary: { passwords },
    graphs: adjacencyGraphs,
    maxLength: most,
  })
  return { guesses: (password, parts) => estimator.check(password, [...parts]).guesses }
}
