// The texts of the users' page for a failure, and the errors in an invitation before it is sent.

import { limits } from '@callgate/contract/limits'
import type { Failure } from '../client/client.ts'
import { hasLink, isEmail } from '../form/checks.ts'
import { sayProblem } from '../words/problems.ts'
import type { Words } from '../words/words.tsx'
import { type UserTexts, userTexts } from './userTexts.ts'

type Says = UserTexts

/** The texts for some codes; `conflict` has its own meaning here. */
export function ownWords(words: Words, conflict: string) {
  const { changedMeanwhile, noAnswer } = userTexts(words)
  return { network_error: noAnswer, precondition_failed: changedMeanwhile, conflict }
}

/** The text for a failure. */
export function failureWords(words: Words, conflict: string): (failure: Failure) => string {
  return failure => sayProblem(failure, words, ownWords(words, conflict))
}

/** Finds only texts that are obviously no address: the API decides. */
export function emailFault(email: string, says: Says): string | undefined {
  return isEmail(email) ? undefined : says.invite.emailWrong
}

/** The name of the person who is invited. */
export function userNameField(words: Words) {
  const { form } = words
  const { name: label, nameLink } = userTexts(words).invite
  return {
    label,
    limit: limits.user.name,
    missing: form.nameMissing,
    check: (name: string) => (hasLink(name) ? nameLink : undefined),
    input: { autoComplete: 'off' },
  } as const
}
