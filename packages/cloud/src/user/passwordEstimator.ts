// How soon a password is guessed, by a list of 49,000 common ones that is part of the package; nothing is asked elsewhere.

import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

/** So many characters are looked at: it takes 30 ms, in which nothing else runs. */
const most = 64

export interface PasswordEstimator {
  /** The guesses after which it is found by who knows `parts`. */
  guesses(password: string, parts: readonly string[]): number
}

/** An estimator. To make it takes some 100 ms. */
export function createPasswordEstimator(): PasswordEstimator {
  const passwords = dictionary['passwords-common']
  const estimator = new ZxcvbnFactory({
    dictionary: { passwords },
    graphs: adjacencyGraphs,
    maxLength: most,
  })
  return { guesses: (password, parts) => estimator.check(password, [...parts]).guesses }
}
