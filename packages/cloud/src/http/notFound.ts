// The problem for an id that the Space, or the user, does not have.

import type { Problem } from '@callgate/contract/rest/problem'

/** The kinds of things that a request names by id. */
type Noun =
  | 'API key'
  | 'Space'
  | 'delivery'
  | 'enrolment'
  | 'gate'
  | 'device'
  | 'gateway'
  | 'incident'
  | 'invitation'
  | 'member'
  | 'opening'
  | 'passkey'
  | 'photo'
  | 'session'
  | 'user'
  | 'webhook'

/** The same answer whether the thing does not exist or belongs to somebody else. */
export const notFound = (noun: Noun): Problem => ({
  problem: 'not_found',
  message: `There is no ${noun} with this id.`,
})
