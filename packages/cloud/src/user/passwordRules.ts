// Password rules: how long a password has to be, and which ones are guessed first (NIST SP 800-63B).

import { refuse } from '@callgate/contract/app/refusals'
import { passwordLengths } from '@callgate/contract/limits'
import type { Problem } from '@callgate/contract/rest/problem'
import type { PasswordEstimator } from './passwordEstimator.ts'

/** Longer ones would only cost time: 64 characters have to be taken. */
const { alone, besideSecondFactor } = passwordLengths
/** A password is refused that is found within so many guesses, which an attacker with the hash makes in minutes. */
const leastGuesses = 1e8

/** What everybody knows about an account: a password must not be made of it. */
export interface Known {
  readonly email: string
  readonly name: string
}

const guessedFirst = refuse('password_guessed')

/** The longest first, so that a part of another one does not break it up. */
function knownParts({ email, name }: Known): string[] {
  const parts = [email, ...email.split(/[@.]/), ...name.split(/\s+/), 'callgate']
  return parts
    .map(part => part.normalize('NFKC').toLowerCase())
    .filter(part => part.length > 2)
    .sort((one, other) => other.length - one.length)
}

/** Whether little is left of a password without what everybody knows. */
function isMadeOf(password: string, parts: readonly string[]): boolean {
  const rest = parts.reduce((text, part) => text.replaceAll(part, ''), password)
  return rest !== password && [...rest.replace(/[^\p{L}\p{N}]/gu, '')].length < besideSecondFactor.least
}

export interface PasswordRules {
  /**
   * What is wrong with a new password, for a person; undefined when nothing is. There are no rules about kinds of characters,
   * since they make passwords worse.
   */
  fault(password: string, known: Known, hasSecondFactor?: boolean): Promise<Problem | undefined>
}

/** The rules. The list of passwords is loaded when the first one is judged. */
export function createPasswordRules(): PasswordRules {
  let estimator: Promise<PasswordEstimator> | undefined
  const load = async () => (await import('./passwordEstimator.ts')).createPasswordEstimator()
  return {
    async fault(password, known, hasSecondFactor = false) {
      const normal = password.normalize('NFKC')
      const length = [...normal].length
      const { least, most } = hasSecondFactor ? besideSecondFactor : alone
      if (length < least) return refuse('password_short', { least, length })
      if (length > most) return refuse('password_long', { most, length })
      const parts = knownParts(known)
      if (isMadeOf(normal.toLowerCase(), parts)) return guessedFirst
      estimator ??= load()
      return (await estimator).guesses(normal, parts) < leastGuesses ? guessedFirst : undefined
    },
  }
}
