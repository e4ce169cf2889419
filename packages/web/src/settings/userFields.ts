// What the page of the users says of a failure, and what is wrong with an invitation before it is sent.

import type { Failure } from '../client/client.ts'
import { sayProblem } from '../words/problems.ts'
import type { Words } from '../words/words.tsx'

type Says = Words['users']

/** The text for a failure; `conflict` is what a conflict means here. */
export function failureWords(words: Words, conflict: string): (failure: Failure) => string {
  const { changedMeanwhile, noAnswer } = words.users
  const own = { network_error: noAnswer, precondition_failed: changedMeanwhile, conflict }
  return failure => sayProblem(failure, words, own)
}

/** The API takes so many characters. */
const longestName = 120

/** Only what is plainly no address: the API decides. */
export function emailFault(email: string, says: Says): string | undefined {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim()) ? undefined : says.invite.emailWrong
}

export function inviteNameFault(name: string, says: Says): string | undefined {
  if (name.trim() === '') return says.invite.nameMissing
  if (name.trim().length > longestName) return says.invite.nameLong
  return /:\/\/|www\./i.test(name) ? says.invite.nameLink : undefined
}
