// New passwords: checked by the rules and hashed, for every operation that sets one.

import type { Problem } from '@callgate/contract/rest/problem'
import type { PasswordHashes, tooBusy } from './passwordHashes.ts'
import type { Known, PasswordRules } from './passwordRules.ts'

export interface NewPasswords {
  /** The hash; or the problem with the field `password`. */
  hash(password: string, known: Known, hasSecondFactor: boolean): Promise<string | Problem | typeof tooBusy>
}

/** Too many passwords are being hashed now. */
export const busy: Problem = {
  problem: 'rate_limited',
  message: 'Many people sign in at this moment. Try again in 2 s.',
  headers: { 'Retry-After': '2' },
}

export function createNewPasswords(rules: PasswordRules, hashes: PasswordHashes): NewPasswords {
  return {
    async hash(password, known, hasSecondFactor) {
      const fault = await rules.fault(password, known, hasSecondFactor)
      if (fault) return { ...fault, message: `password: ${fault.message}` }
      return hashes.make(password)
    },
  }
}
