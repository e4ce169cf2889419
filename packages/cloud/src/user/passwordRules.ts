// Password rules: the least length of a password, and which ones are too common (NIST SP 800-63B).

import { refuse } from '@callgate/contract/app/refusals'
import { passwordLengths } from '@callgate/contract/limits'
import type { Problem } from '@callgate/contract/rest/problem'
import type { PasswordEstimator } from './passwordEstimator.ts'

/** Longer passwords would only cost time; at least 64 characters must be accepted. */
const { alone, besideSecondFactor } = passwordLengths
/** A password is rejected that is found within this many guesses, which an attacker with the hash makes in minutes. */
const leastGuesses = 1e8

/** Public facts about an account, of which a password must not be made. */
export interface Known {
  readonly email: string
  readonly name: string
}

const guessedFirst = refuse('password_guessed')

/** The longest first, so that a part of another one does not split it. */
function knownParts({ email, name }: Known): string[] {
  const parts = [email, ...email.split(/[@.]/), ...name.split(/\s+/), 'callgate']
  return parts
    .map(part => part.normalize('NFKC').toLowerCase())
    .filter(part => part.length > 2)
    .sort((one, other) => other.length - one.length)
}

/** Whether little is left of a password without the public facts. */
function isMadeOf(password: string, parts: readonly string[]): boolean {
  const rest = parts.reduce((text, part) => text.replaceAll(part, ''), password)
  return rest !== password && [...rest.replace(/[^\p{L}\p{N}]/gu, '')].length < besideSecondFactor.least
}

export interface PasswordRules {
  /**
   * The fault of a new password, for a person; undefined where there is none. There are no rules about kinds of characters,
   * because they make passwords worse.
   */
  fault(password: string, known: Known, hasSecondFactor?: boolean): Promise<Problem | undefined>
}

/** Makes the rules. The list of passwords is loaded when the first one is checked. */
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
