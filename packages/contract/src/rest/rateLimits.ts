// Rate limits: how many requests each of a key's three buckets takes (specification, section 8).

import type { RateClass } from './operation.ts'

interface RateLimit {
  readonly name: string
  readonly requests: number
  readonly windowS: number
}

/** What the headers call each bucket, and how many requests it takes in any `windowS` seconds. */
export const rateLimits = {
  read: { name: 'default', requests: 120, windowS: 60 },
  write: { name: 'write', requests: 30, windowS: 60 },
  open: { name: 'open', requests: 10, windowS: 60 },
} as const satisfies Record<RateClass, RateLimit>

/**
 * How many reads a user of the dashboard has, in all sessions together. A page is put together from up to ten, so that thirty
 * pages in a minute fit in, and what events have read again.
 */
export const userReads = { name: 'default', requests: 400, windowS: 60 } as const satisfies RateLimit
