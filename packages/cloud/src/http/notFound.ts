// The problem of an id that the Space, or the user, does not have.

import type { Problem } from '@callgate/contract/rest/problem'

/** What has an id that a request names. */
type Noun =
  | 'API key'
  | 'Space'
  | 'enrolment'
  | 'gate'
  | 'gateway'
  | 'invitation'
  | 'member'
  | 'opening'
  | 'passkey'
  | 'session'
  | 'user'

/** There is none, or it belongs to somebody else: the answer is the same. */
export const notFound = (noun: Noun): Problem => ({
  problem: 'not_found',
  message: `There is no ${noun} with this id.`,
})
