// Password rules: how long a password has to be, and which ones are guessed first (NIST SP 800-63B).

import type { PasswordEstimator } from './passwordEstimator.ts'

/** In code points. With a second factor a password need not stand alone. */
const leastAlone = 15
const leastWithSecondFactor = 8
/** Longer ones would only cost time: 64 have to be taken. */
const most = 256
/** A password is refused that is found within so many guesses, which an attacker with the hash makes in minutes. */
const leastGuesses = 1e8

/** What everybody knows about an account: a password must not be made of it. */
export interface Known {
  readonly email: string
  readonly name: string
}

const guessedFirst =
  'The password is one of those that are guessed first: it is common, repeats itself, follows the keyboard, or is made of the name or the e-mail. Take several words that do not belong together.'

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
  return rest !== password && [...rest.replace(/[^\p{L}\p{N}]/gu, '')].length < leastWithSecondFactor
}

export interface PasswordRules {
  /**
   * What is wrong with a new password, for a person; undefined when nothing is. There are no rules about kinds of characters,
   * since they make passwords worse.
   */
  fault(password: string, known: Known, hasSecondFactor?: boolean): Promise<string | undefined>
}

/** The rules. The list of passwords is loaded when the first one is judged. */
export function createPasswordRules(): PasswordRules {
  let estimator: Promise<PasswordEstimator> | undefined
  const load = async () => (await import('./passwordEstimator.ts')).createPasswordEstimator()
  return {
    async fault(password, known, hasSecondFactor = false) {
      const normal = password.normalize('NFKC')
      const length = [...normal].length
      const least = hasSecondFactor ? leastWithSecondFactor : leastAlone
      if (length < least)
        return `The password must have at least ${least} characters; this one has ${length}. Several words are easy to remember.`
      if (length > most) return `The password must have at most ${most} characters; this one has ${length}.`
      const parts = knownParts(known)
      if (isMadeOf(normal.toLowerCase(), parts)) return guessedFirst
      estimator ??= load()
      return (await estimator).guesses(normal, parts) < leastGuesses ? guessedFirst : undefined
    },
  }
}
