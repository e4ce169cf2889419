// What the page of the users says of a failure, and what is wrong with an invitation before it is sent.

import type { Failure } from '../client/client.ts'
import type { Words } from '../words/words.tsx'

type Says = Words['users']

/** The text for a failure; `conflict` is what a conflict means here. */
export function failureWords(says: Says, conflict: string): (failure: Failure) => string {
  return ({ code, message, retryAfterS }) => {
    if (code === 'network_error') return says.noAnswer
    if (code === 'rate_limited') return says.later(retryAfterS ?? 60)
    if (code === 'precondition_failed') return says.changedMeanwhile
    return code === 'conflict' ? conflict : message
  }
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
